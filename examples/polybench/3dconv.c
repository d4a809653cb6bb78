/* 3DCONV: B = a 3 x 3 x 3 convolution of A with eleven points in fifteen terms.
   One launch for each inner plane i; x = k: coalesced throughout. */
#include "common.h"

#ifndef N
#define N 64
#endif
#pragma logca work(N=256)

static DATA_TYPE A[N][N][N], B[N][N][N];

void kernel_3dconv(DATA_TYPE A[N][N][N], DATA_TYPE B[N][N][N])
{
    const DATA_TYPE c11 = (DATA_TYPE)0.2, c12 = (DATA_TYPE)-0.3, c13 = (DATA_TYPE)0.4;
    const DATA_TYPE c21 = (DATA_TYPE)0.5, c22 = (DATA_TYPE)0.6, c23 = (DATA_TYPE)0.7;
    const DATA_TYPE c31 = (DATA_TYPE)-0.8, c32 = (DATA_TYPE)-0.9, c33 = (DATA_TYPE)0.1;

    for (int i = 1; i < N - 1; i++) {
#pragma logca offload collapse(2)
        for (int j = 1; j < N - 1; j++)
            for (int k = 1; k < N - 1; k++)
                B[i][j][k] = c11 * A[i - 1][j - 1][k - 1] + c13 * A[i + 1][j - 1][k - 1]
                           + c21 * A[i - 1][j - 1][k - 1] + c23 * A[i + 1][j - 1][k - 1]
                           + c31 * A[i - 1][j - 1][k - 1] + c33 * A[i + 1][j - 1][k - 1]
                           + c12 * A[i][j - 1][k] + c22 * A[i][j][k] + c32 * A[i][j + 1][k]
                           + c11 * A[i - 1][j - 1][k + 1] + c13 * A[i + 1][j - 1][k + 1]
                           + c21 * A[i - 1][j][k + 1] + c23 * A[i + 1][j][k + 1]
                           + c31 * A[i - 1][j + 1][k + 1] + c33 * A[i + 1][j + 1][k + 1];
    }
}

int main(void)
{
    fill(1, &A[0][0][0], (size_t)N * N, N);
    input("A", &A[0][0][0], (size_t)N * N * N);
    kernel_3dconv(A, B);
    result("B", &B[0][0][0], (size_t)N * N * N);
    return 0;
}
