/* LU: A = L U in place, U with a unit diagonal, one column after the other. Two launches a column:
   its row of U (x = j), and all that is right of and below it (x = j). The form is that of
   PolyBench/GPU. */
#include "common.h"

#ifndef N
#define N 64
#endif
#pragma logca work(N=1024)

static DATA_TYPE A[N][N];

void kernel_lu(DATA_TYPE A[N][N])
{
    for (int k = 0; k < N; k++) {
#pragma logca offload
        for (int j = k + 1; j < N; j++)
            A[k][j] /= A[k][k];

#pragma logca offload collapse(2)
        for (int i = k + 1; i < N; i++)
            for (int j = k + 1; j < N; j++)
                A[i][j] -= A[i][k] * A[k][j];
    }
}

int main(void)
{
    fill(1, &A[0][0], N, N);
    for (int i = 0; i < N; i++)
        A[i][i] += N;
    input("A", &A[0][0], (size_t)N * N);
    kernel_lu(A);
    result("A", &A[0][0], (size_t)N * N);
    return 0;
}
