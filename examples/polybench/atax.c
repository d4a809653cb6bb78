/* ATAX: y = A^T (A x). Two launches: rows (x = i: A uncoalesced), columns (x = j: A coalesced). */
#include "common.h"

#ifndef N
#define N 1024
#endif
#pragma logca work(N=4096)

static DATA_TYPE A[N][N], x[N], tmp[N], y[N];

void kernel_atax(DATA_TYPE A[N][N], DATA_TYPE x[N], DATA_TYPE tmp[N], DATA_TYPE y[N])
{
#pragma logca offload
    for (int i = 0; i < N; i++) {
        DATA_TYPE sum = 0;
        for (int j = 0; j < N; j++)
            sum += A[i][j] * x[j];
        tmp[i] = sum;
    }

#pragma logca offload
    for (int j = 0; j < N; j++) {
        DATA_TYPE sum = 0;
        for (int i = 0; i < N; i++)
            sum += A[i][j] * tmp[i];
        y[j] = sum;
    }
}

int main(void)
{
    fill(1, &A[0][0], N, N);
    fill(2, x, 1, N);
    input("A", &A[0][0], (size_t)N * N);
    input("x", x, N);
    kernel_atax(A, x, tmp, y);
    result("y", y, N);
    return 0;
}
