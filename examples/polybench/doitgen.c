/* DOITGEN: every vector A[r][q] times a matrix, by way of a row that all of them use. */
#include "common.h"

#ifndef N
#define N 32
#endif
#pragma logca work(N=128)

static DATA_TYPE A[N][N][N], C4[N][N], sum[N];

/* PolyBench/GPU has a row for each vector, and a launch of threads (q, p) for each r; in one thread
   for each vector the row is its own. */
void kernel_doitgen(DATA_TYPE A[N][N][N], DATA_TYPE C4[N][N], DATA_TYPE sum[N])
{
    for (int r = 0; r < N; r++)
        for (int q = 0; q < N; q++) {
#pragma logca offload
            for (int p = 0; p < N; p++) {
                sum[p] = 0;
                for (int s = 0; s < N; s++)
                    sum[p] += A[r][q][s] * C4[s][p];
            }
#pragma logca offload
            for (int p = 0; p < N; p++)
                A[r][q][p] = sum[p];
        }
}

int main(void)
{
    fill(1, &A[0][0][0], N * N, N);
    fill(2, &C4[0][0], N, N);
    input("A", &A[0][0][0], (size_t)N * N * N);
    input("C4", &C4[0][0], (size_t)N * N);
    kernel_doitgen(A, C4, sum);
    result("A", &A[0][0][0], (size_t)N * N * N);
    return 0;
}
