/* The sum of a vector, gathered by all threads. */
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
    TYPE *a = malloc(sizeof(TYPE) * N), sum = 0;
    for (long i = 0; i < N; i++)
        a[i] = i % 5;
#pragma logca offload
    for (long i = 0; i < N; i++)
        sum += a[i];
    printf("%g\n", (double)sum);
}
