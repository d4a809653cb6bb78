/* A transposed matrix, coalesced where it is read. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 128
#endif

int main(void)
{
    int *a = malloc(sizeof(int) * N * N), *b = malloc(sizeof(int) * N * N);
    for (long i = 0; i < N * N; i++)
        a[i] = i % 5;
#pragma logca offload collapse(2)
    for (long i = 0; i < N; i++)
        for (long j = 0; j < N; j++)
            b[j * N + i] = a[i * N + j];
    printf("%d\n", b[N / 2]);
}
