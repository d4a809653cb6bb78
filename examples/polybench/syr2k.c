/* SYR2K: C = alpha (A B^T + B A^T) + beta C, all of C. x = j: the elements of row i are constant
   in a warp, those of row j uncoalesced. */
#include "common.h"

#ifndef N
#define N 128
#endif
#pragma logca work(N=1024)

static DATA_TYPE A[N][N], B[N][N], C[N][N];

void kernel_syr2k(DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE A[N][N], DATA_TYPE B[N][N],
                  DATA_TYPE C[N][N])
{
#pragma logca offload collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            DATA_TYPE sum = beta * C[i][j];
            for (int k = 0; k < N; k++) {
                sum += alpha * A[i][k] * B[j][k];
                sum += alpha * B[i][k] * A[j][k];
            }
            C[i][j] = sum;
        }
}

int main(void)
{
    fill(1, &A[0][0], N, N);
    fill(2, &B[0][0], N, N);
    fill(3, &C[0][0], N, N);
    input("A", &A[0][0], (size_t)N * N);
    input("B", &B[0][0], (size_t)N * N);
    input("C", &C[0][0], (size_t)N * N);
    kernel_syr2k((DATA_TYPE)1.5, (DATA_TYPE)1.25, A, B, C);
    result("C", &C[0][0], (size_t)N * N);
    return 0;
}
