/* 3MM in tiles: E = A B, F = C D, then G = E F. Three launches of one product each.
   One block computes one tile of the result from two tiles in shared memory; x = jj. */
#include "common.h"

#ifndef N
#define N 128
#endif
#ifndef TILE
#define TILE 32
#endif
#if N % TILE != 0
#error "N must be a multiple of TILE"
#endif
#pragma logca work(N=2048)

static DATA_TYPE A[N][N], B[N][N], C[N][N], D[N][N], E[N][N], F[N][N], G[N][N];

void product_tiled(DATA_TYPE A[N][N], DATA_TYPE B[N][N], DATA_TYPE C[N][N])
{
#pragma logca offload collapse(2)
    for (int bi = 0; bi < N; bi += TILE)
        for (int bj = 0; bj < N; bj += TILE) {
            DATA_TYPE As[TILE][TILE], Bs[TILE][TILE], sum[TILE][TILE];
#pragma logca shared(As, Bs)
#pragma logca private(sum)

#pragma logca threads collapse(2)
            for (int ii = 0; ii < TILE; ii++)
                for (int jj = 0; jj < TILE; jj++)
                    sum[ii][jj] = 0;

            for (int bk = 0; bk < N; bk += TILE) {
#pragma logca threads collapse(2)
                for (int ii = 0; ii < TILE; ii++)
                    for (int jj = 0; jj < TILE; jj++) {
                        As[ii][jj] = A[bi + ii][bk + jj];
                        Bs[ii][jj] = B[bk + ii][bj + jj];
                    }
#pragma logca barrier
#pragma logca threads collapse(2)
                for (int ii = 0; ii < TILE; ii++)
                    for (int jj = 0; jj < TILE; jj++) {
                        DATA_TYPE partial = sum[ii][jj];
                        for (int kk = 0; kk < TILE; kk++)
                            partial += As[ii][kk] * Bs[kk][jj];
                        sum[ii][jj] = partial;
                    }
#pragma logca barrier
            }

#pragma logca threads collapse(2)
            for (int ii = 0; ii < TILE; ii++)
                for (int jj = 0; jj < TILE; jj++)
                    C[bi + ii][bj + jj] = sum[ii][jj];
        }
}

void kernel_3mm(DATA_TYPE A[N][N], DATA_TYPE B[N][N], DATA_TYPE C[N][N], DATA_TYPE D[N][N],
                DATA_TYPE E[N][N], DATA_TYPE F[N][N], DATA_TYPE G[N][N])
{
    product_tiled(A, B, E);
    product_tiled(C, D, F);
    product_tiled(E, F, G);
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
