/* Sums of 2 RADIUS + 1 neighbours. */
#include <stdio.h>
#include <stdlib.h>

#ifndef RADIUS
#define RADIUS 7
#endif
#ifndef N
#define N 4096
#endif

int main(void)
{
    int *a = malloc(sizeof(int) * N), *b = malloc(sizeof(int) * N);
    for (long i = 0; i < N; i++)
        a[i] = b[i] = i % 5;
#pragma logca offload
    for (long i = RADIUS; i < N - RADIUS; i++) {
        int sum = 0;
        for (int j = -RADIUS; j <= RADIUS; j++)
            sum += a[i + j];
        b[i] = sum;
    }
    printf("%d\n", b[N / 2]);
}
