/* Jacobi's iteration on a cube, with the copy that it needs. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 32
#endif
#ifndef STEPS
#define STEPS 4
#endif
#pragma logca work(N=512, STEPS=200)

typedef double plane[N][N];

int main(void)
{
    plane *a = malloc(sizeof(plane) * N), *b = malloc(sizeof(plane) * N);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                a[i][j][k] = b[i][j][k] = 4 + i + j + k;
    for (int step = 0; step < STEPS; step++) {
#pragma logca offload collapse(3)
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                for (int k = 1; k < N - 1; k++)
                    a[i][j][k] = b[i][j][k];
#pragma logca offload collapse(3)
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                for (int k = 1; k < N - 1; k++)
                    b[i][j][k] = (a[i - 1][j][k] + a[i][j - 1][k] + a[i][j][k - 1]
                                  + a[i][j][k + 1] + a[i][j + 1][k] + a[i + 1][j][k])
                                 / 6;
    }
    printf("%g\n", b[N / 2][N / 2][N / 2]);
}
