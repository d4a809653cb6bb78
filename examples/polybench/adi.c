/* ADI: alternating directions. Along the rows each thread runs by itself (x = i: uncoalesced), along
   the columns each row is a launch (x = j). The form is that of PolyBench/GPU. */
#include "common.h"

#ifndef N
#define N 64
#endif
#ifndef TMAX
#define TMAX 2
#endif
#pragma logca work(N=1024, TMAX=500)

static DATA_TYPE A[N][N], B[N][N], X[N][N];

void rows(DATA_TYPE A[N][N], DATA_TYPE B[N][N], DATA_TYPE X[N][N])
{
#pragma logca offload
    for (int i = 0; i < N; i++)
        for (int j = 1; j < N; j++) {
            X[i][j] -= X[i][j - 1] * A[i][j] / B[i][j - 1];
            B[i][j] -= A[i][j] * A[i][j] / B[i][j - 1];
        }

#pragma logca offload
    for (int i = 0; i < N; i++)
        X[i][N - 1] /= B[i][N - 1];

#pragma logca offload
    for (int i = 0; i < N; i++)
        for (int j = N - 2; j > 0; j--)
            X[i][j] = (X[i][j] - X[i][j - 1] * A[i][j - 1]) / B[i][j - 1];
}

void columns(DATA_TYPE A[N][N], DATA_TYPE B[N][N], DATA_TYPE X[N][N])
{
    for (int i = 1; i < N; i++)
#pragma logca offload
        for (int j = 0; j < N; j++) {
            X[i][j] -= X[i - 1][j] * A[i][j] / B[i - 1][j];
            B[i][j] -= A[i][j] * A[i][j] / B[i - 1][j];
        }

#pragma logca offload
    for (int j = 0; j < N; j++)
        X[N - 1][j] /= B[N - 1][j];

    for (int i = N - 2; i > 0; i--)
#pragma logca offload
        for (int j = 0; j < N; j++)
            X[i][j] = (X[i][j] - X[i - 1][j] * A[i - 1][j]) / B[i][j];
}

void kernel_adi(DATA_TYPE A[N][N], DATA_TYPE B[N][N], DATA_TYPE X[N][N])
{
    for (int t = 0; t < TMAX; t++) {
        rows(A, B, X);
        columns(A, B, X);
    }
}

int main(void)
{
    fill(1, &A[0][0], N, N);
    fill(2, &X[0][0], N, N);
    fill(3, &B[0][0], N, N);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            B[i][j] += 4;
    input("A", &A[0][0], (size_t)N * N);
    input("B", &B[0][0], (size_t)N * N);
    input("X", &X[0][0], (size_t)N * N);
    kernel_adi(A, B, X);
    result("B", &B[0][0], (size_t)N * N);
    result("X", &X[0][0], (size_t)N * N);
    return 0;
}
