/* HEAT-3D: heat in a cube, second differences along each axis, to and fro between two cubes. x = k. */
#include "common.h"

#ifndef N
#define N 24
#endif
#ifndef TMAX
#define TMAX 3
#endif
#pragma logca work(N=128, TMAX=500)

static DATA_TYPE A[N][N][N], B[N][N][N];

void step(DATA_TYPE from[N][N][N], DATA_TYPE to[N][N][N])
{
    const DATA_TYPE eighth = (DATA_TYPE)0.125, twice = 2;

#pragma logca offload collapse(3)
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            for (int k = 1; k < N - 1; k++)
                to[i][j][k] = eighth * (from[i + 1][j][k] - twice * from[i][j][k] + from[i - 1][j][k])
                            + eighth * (from[i][j + 1][k] - twice * from[i][j][k] + from[i][j - 1][k])
                            + eighth * (from[i][j][k + 1] - twice * from[i][j][k] + from[i][j][k - 1])
                            + from[i][j][k];
}

void kernel_heat_3d(DATA_TYPE A[N][N][N], DATA_TYPE B[N][N][N])
{
    for (int t = 0; t < TMAX; t++) {
        step(A, B);
        step(B, A);
    }
}

int main(void)
{
    fill(1, &A[0][0][0], N * N, N);
    fill(2, &B[0][0][0], N * N, N);
    input("A", &A[0][0][0], (size_t)N * N * N);
    input("B", &B[0][0][0], (size_t)N * N * N);
    kernel_heat_3d(A, B);
    result("A", &A[0][0][0], (size_t)N * N * N);
    return 0;
}
