/* SYMM: C = alpha A B + beta C with a symmetric A, of which the lower triangle is read. Rows of C
   gather what later ones add; one launch for each row (x = j). */
#include "common.h"

#ifndef N
#define N 64
#endif
#pragma logca work(N=1024)

static DATA_TYPE A[N][N], B[N][N], C[N][N];

void kernel_symm(DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE A[N][N], DATA_TYPE B[N][N],
                 DATA_TYPE C[N][N])
{
    for (int i = 0; i < N; i++)
#pragma logca offload
        for (int j = 0; j < N; j++) {
            DATA_TYPE sum = 0;
            for (int k = 0; k < i; k++) {
                C[k][j] += alpha * B[i][j] * A[i][k];
                sum += B[k][j] * A[i][k];
            }
            C[i][j] = beta * C[i][j] + alpha * B[i][j] * A[i][i] + alpha * sum;
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
    kernel_symm((DATA_TYPE)1.5, (DATA_TYPE)1.25, A, B, C);
    result("C", &C[0][0], (size_t)N * N);
    return 0;
}
