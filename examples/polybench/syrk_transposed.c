/* SYRK on a transposed copy of its operand (Table 6): C = alpha At^T At + beta C with At = A^T.
   The copy is made before the launch. x = j: At[k][i] is constant in a warp, At[k][j] coalesced. */
#include "common.h"

#ifndef N
#define N 128
#endif
#pragma logca work(N=1024)

static DATA_TYPE A[N][N], At[N][N], C[N][N];

void transpose(DATA_TYPE A[N][N], DATA_TYPE At[N][N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            At[j][i] = A[i][j];
}

void kernel_syrk_transposed(DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE At[N][N], DATA_TYPE C[N][N])
{
#pragma logca offload collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            DATA_TYPE sum = beta * C[i][j];
            for (int k = 0; k < N; k++)
                sum += alpha * At[k][i] * At[k][j];
            C[i][j] = sum;
        }
}

int main(void)
{
    fill(1, &A[0][0], N, N);
    fill(2, &C[0][0], N, N);
    input("A", &A[0][0], (size_t)N * N);
    input("C", &C[0][0], (size_t)N * N);
    transpose(A, At);
    kernel_syrk_transposed((DATA_TYPE)1.5, (DATA_TYPE)1.25, At, C);
    result("C", &C[0][0], (size_t)N * N);
    return 0;
}
