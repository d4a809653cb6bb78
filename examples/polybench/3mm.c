/* 3MM: E = A B, F = C D, then G = E F. Three launches of one product each.
   x = j: the left operand is constant in a warp, the right one coalesced. */
#include "common.h"

#ifndef N
#define N 128
#endif
#pragma logca work(N=2048)

static DATA_TYPE A[N][N], B[N][N], C[N][N], D[N][N], E[N][N], F[N][N], G[N][N];

void kernel_3mm(DATA_TYPE A[N][N], DATA_TYPE B[N][N], DATA_TYPE C[N][N], DATA_TYPE D[N][N],
                DATA_TYPE E[N][N], DATA_TYPE F[N][N], DATA_TYPE G[N][N])
{
#pragma logca offload collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            DATA_TYPE sum = 0;
            for (int k = 0; k < N; k++)
                sum += A[i][k] * B[k][j];
            E[i][j] = sum;
        }

#pragma logca offload collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            DATA_TYPE sum = 0;
            for (int k = 0; k < N; k++)
                sum += C[i][k] * D[k][j];
            F[i][j] = sum;
        }

#pragma logca offload collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            DATA_TYPE sum = 0;
            for (int k = 0; k < N; k++)
                sum += E[i][k] * F[k][j];
            G[i][j] = sum;
        }
}

int main(void)
{
    fill(1, &A[0][0], N, N);
    fill(2, &B[0][0], N, N);
    fill(3, &C[0][0], N, N);
    fill(4, &D[0][0], N, N);
    input("A", &A[0][0], (size_t)N * N);
    input("B", &B[0][0], (size_t)N * N);
    input("C", &C[0][0], (size_t)N * N);
    input("D", &D[0][0], (size_t)N * N);
    kernel_3mm(A, B, C, D, E, F, G);
    result("G", &G[0][0], (size_t)N * N);
    return 0;
}
