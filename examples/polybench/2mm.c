/* 2MM: T = A B, then E = T D. Two launches of one product each.
   x = j: the left operand is constant in a warp, the right one coalesced. */
#include "common.h"

#ifndef N
#define N 128
#endif
#pragma logca work(N=4096)

static DATA_TYPE A[N][N], B[N][N], T[N][N], D[N][N], E[N][N];

void kernel_2mm(DATA_TYPE A[N][N], DATA_TYPE B[N][N], DATA_TYPE T[N][N], DATA_TYPE D[N][N],
                DATA_TYPE E[N][N])
{
#pragma logca offload collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            DATA_TYPE sum = 0;
            for (int k = 0; k < N; k++)
                sum += A[i][k] * B[k][j];
            T[i][j] = sum;
        }

#pragma logca offload collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            DATA_TYPE sum = 0;
            for (int k = 0; k < N; k++)
                sum += T[i][k] * D[k][j];
            E[i][j] = sum;
        }
}

int main(void)
{
    fill(1, &A[0][0], N, N);
    fill(2, &B[0][0], N, N);
    fill(3, &D[0][0], N, N);
    input("A", &A[0][0], (size_t)N * N);
    input("B", &B[0][0], (size_t)N * N);
    input("D", &D[0][0], (size_t)N * N);
    kernel_2mm(A, B, T, D, E);
    result("E", &E[0][0], (size_t)N * N);
    return 0;
}
