/* A sum of two vectors. */
#include <stdio.h>
#include <stdlib.h>

#ifndef TYPE
#define TYPE float
#endif
#ifndef N
#define N 4096
#endif

int main(void)
{
    TYPE *a = malloc(sizeof(TYPE) * N), *b = malloc(sizeof(TYPE) * N);
    TYPE *c = malloc(sizeof(TYPE) * N);
    for (long i = 0; i < N; i++) {
        a[i] = i % 5;
        b[i] = i % 3;
    }
#pragma logca offload
    for (long i = 0; i < N; i++)
        c[i] = a[i] + b[i];
    printf("%g\n", (double)c[N / 2]);
}
