/* SYR2K in tiles: C = alpha (A B^T + B A^T) + beta C, all of C.
   One block computes one tile of C from four tiles in shared memory; x = jj. Ai and Bi hold rows i,
   Aj and Bj rows j, so that a warp reads columns of the latter: bank conflicts. */
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
#pragma logca work(N=1024)

static DATA_TYPE A[N][N], B[N][N], C[N][N];

void kernel_syr2k(DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE A[N][N], DATA_TYPE B[N][N],
                  DATA_TYPE C[N][N])
{
#pragma logca offload collapse(2)
    for (int bi = 0; bi < N; bi += TILE)
        for (int bj = 0; bj < N; bj += TILE) {
            DATA_TYPE Ai[TILE][TILE], Aj[TILE][TILE], Bi[TILE][TILE], Bj[TILE][TILE];
            DATA_TYPE sum[TILE][TILE];
#pragma logca shared(Ai, Aj, Bi, Bj)
#pragma logca private(sum)

#pragma logca threads collapse(2)
            for (int ii = 0; ii < TILE; ii++)
                for (int jj = 0; jj < TILE; jj++)
                    sum[ii][jj] = beta * C[bi + ii][bj + jj];

            for (int bk = 0; bk < N; bk += TILE) {
#pragma logca threads collapse(2)
                for (int ii = 0; ii < TILE; ii++)
                    for (int jj = 0; jj < TILE; jj++) {
                        Ai[ii][jj] = A[bi + ii][bk + jj];
                        Aj[ii][jj] = A[bj + ii][bk + jj];
                        Bi[ii][jj] = B[bi + ii][bk + jj];
                        Bj[ii][jj] = B[bj + ii][bk + jj];
                    }
#pragma logca barrier
#pragma logca threads collapse(2)
                for (int ii = 0; ii < TILE; ii++)
                    for (int jj = 0; jj < TILE; jj++) {
                        DATA_TYPE partial = sum[ii][jj];
                        for (int kk = 0; kk < TILE; kk++) {
                            partial += alpha * Ai[ii][kk] * Bj[jj][kk];
                            partial += alpha * Bi[ii][kk] * Aj[jj][kk];
                        }
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
