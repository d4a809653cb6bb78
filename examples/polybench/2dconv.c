/* 2DCONV: B = 3 x 3 convolution of A, inner points only.
   x = j: nine coalesced loads (some of them shifted by one element), one coalesced store. */
#include "common.h"

#ifndef N
#define N 512
#endif
#pragma logca work(N=4096)

static DATA_TYPE A[N][N], B[N][N];

void kernel_2dconv(DATA_TYPE A[N][N], DATA_TYPE B[N][N])
{
    const DATA_TYPE c11 = (DATA_TYPE)0.2, c12 = (DATA_TYPE)-0.3, c13 = (DATA_TYPE)0.4;
    const DATA_TYPE c21 = (DATA_TYPE)0.5, c22 = (DATA_TYPE)0.6, c23 = (DATA_TYPE)0.7;
    const DATA_TYPE c31 = (DATA_TYPE)-0.8, c32 = (DATA_TYPE)-0.9, c33 = (DATA_TYPE)0.1;

#pragma logca offload collapse(2)
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            B[i][j] = c11 * A[i - 1][j - 1] + c12 * A[i - 1][j] + c13 * A[i - 1][j + 1]
                    + c21 * A[i][j - 1] + c22 * A[i][j] + c23 * A[i][j + 1]
                    + c31 * A[i + 1][j - 1] + c32 * A[i + 1][j] + c33 * A[i + 1][j + 1];
}

int main(void)
{
    fill(1, &A[0][0], N, N);
    input("A", &A[0][0], (size_t)N * N);
    kernel_2dconv(A, B);
    result("B", &B[0][0], (size_t)N * N);
    return 0;
}
