/* CHOLESKY: A = L L', L in the place of A's lower triangle, row by row. As it is written every loop
   needs what its iterations before have left. */
#include <math.h>

#include "common.h"

#ifndef N
#define N 64
#endif
#pragma logca work(N=1024)

static DATA_TYPE A[N][N];

void kernel_cholesky(DATA_TYPE A[N][N])
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++)
                A[i][j] -= A[i][k] * A[j][k];
            A[i][j] /= A[j][j];
        }
        for (int k = 0; k < i; k++)
            A[i][i] -= A[i][k] * A[i][k];
        A[i][i] = (DATA_TYPE)sqrt((double)A[i][i]);
    }
}

int main(void)
{
    fill(1, &A[0][0], N, N);
    for (int i = 0; i < N; i++)
        A[i][i] += N;
    input("A", &A[0][0], (size_t)N * N);
    kernel_cholesky(A);
    result("A", &A[0][0], (size_t)N * N);
    return 0;
}
