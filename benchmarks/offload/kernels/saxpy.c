/* r = a x + y. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 4096
#endif

int main(void)
{
    float *x = malloc(sizeof(float) * N), *y = malloc(sizeof(float) * N);
    float *r = malloc(sizeof(float) * N);
    for (long i = 0; i < N; i++) {
        x[i] = i % 5;
        y[i] = i % 3;
    }
#pragma logca offload
    for (long i = 0; i < N; i++)
        r[i] = 2.5f * x[i] + y[i];
    printf("%g\n", (double)r[N / 2]);
}
