/* DCT1D: the discrete cosine transform (type II) of each row of X by the matrix of cosines,
   Y = X W^T with W[k][n] = cos(pi (2 n + 1) k / 2 N). x = k: X is constant in a warp, W
   uncoalesced. */
#include <math.h>

#include "common.h"

#ifndef N
#define N 128
#endif
#pragma logca work(N=1024)

static DATA_TYPE X[N][N], W[N][N], Y[N][N];

void kernel_dct1d(DATA_TYPE X[N][N], DATA_TYPE W[N][N], DATA_TYPE Y[N][N])
{
#pragma logca offload collapse(2)
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++) {
            DATA_TYPE sum = 0;
            for (int n = 0; n < N; n++)
                sum += X[i][n] * W[k][n];
            Y[i][k] = sum;
        }
}

int main(void)
{
    const double pi = acos(-1.0);

    fill(1, &X[0][0], N, N);
    for (int k = 0; k < N; k++)
        for (int n = 0; n < N; n++)
            W[k][n] = (DATA_TYPE)cos(pi * (2.0 * n + 1) * k / (2.0 * N));
    input("X", &X[0][0], (size_t)N * N);
    kernel_dct1d(X, W, Y);
    result("Y", &Y[0][0], (size_t)N * N);
    return 0;
}
