/* SEIDEL-2D: the mean of an element and its eight neighbours, in place. As it is written every loop
   needs what its iterations before have left; only elements on a slanted line do not depend on each
   other. */
#include "common.h"

#ifndef N
#define N 64
#endif
#ifndef TMAX
#define TMAX 4
#endif
#pragma logca work(N=1024, TMAX=500)

static DATA_TYPE A[N][N];

void kernel_seidel_2d(DATA_TYPE A[N][N])
{
    for (int t = 0; t < TMAX; t++)
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1]
                           + A[i][j - 1] + A[i][j] + A[i][j + 1]
                           + A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) / 9;
}

int main(void)
{
    fill(1, &A[0][0], N, N);
    input("A", &A[0][0], (size_t)N * N);
    kernel_seidel_2d(A);
    result("A", &A[0][0], (size_t)N * N);
    return 0;
}
