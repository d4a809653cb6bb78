/* SYRK: C = alpha A A^T + beta C, all of C. x = j: A[i][k] is constant in a warp, A[j][k]
   uncoalesced. */
#include "common.h"

#ifndef N
#define N 128
#endif
#pragma logca work(N=1024)

static DATA_TYPE A[N][N], C[N][N];

void kernel_syrk(DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE A[N][N], DATA_TYPE C[N][N])
{
#pragma logca offload collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            DATA_TYPE sum = beta * C[i][j];
            for (int k = 0; k < N; k++)
                sum += alpha * A[i][k] * A[j][k];
            C[i][j] = sum;
        }
}

int main(void)
{
    fill(1, &A[0][0], N, N);
    fill(2, &C[0][0], N, N);
    input("A", &A[0][0], (size_t)N * N);
    input("C", &C[0][0], (size_t)N * N);
    kernel_syrk((DATA_TYPE)1.5, (DATA_TYPE)1.25, A, C);
    result("C", &C[0][0], (size_t)N * N);
    return 0;
}
