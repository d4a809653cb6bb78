/* JACOBI-2D: the mean of an element and its four neighbours, to and fro between two planes. x = j. */
#include "common.h"

#ifndef N
#define N 64
#endif
#ifndef TMAX
#define TMAX 4
#endif
#pragma logca work(N=1024, TMAX=500)

static DATA_TYPE A[N][N], B[N][N];

void kernel_jacobi_2d(DATA_TYPE A[N][N], DATA_TYPE B[N][N])
{
    const DATA_TYPE fifth = (DATA_TYPE)0.2;

    for (int t = 0; t < TMAX; t++) {
#pragma logca offload collapse(2)
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                B[i][j] = fifth * (A[i][j] + A[i][j - 1] + A[i][j + 1] + A[i + 1][j] + A[i - 1][j]);

#pragma logca offload collapse(2)
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                A[i][j] = fifth * (B[i][j] + B[i][j - 1] + B[i][j + 1] + B[i + 1][j] + B[i - 1][j]);
    }
}

int main(void)
{
    fill(1, &A[0][0], N, N);
    fill(2, &B[0][0], N, N);
    input("A", &A[0][0], (size_t)N * N);
    input("B", &B[0][0], (size_t)N * N);
    kernel_jacobi_2d(A, B);
    result("A", &A[0][0], (size_t)N * N);
    return 0;
}
