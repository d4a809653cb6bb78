/* GRAMSCHM: modified Gram-Schmidt, A = Q R, the first STEPS columns of Q and rows of R.
   Three launches a column: its norm (one thread), the column of Q (x = i: uncoalesced), and the
   columns right of it (x = j: A coalesced, Q constant). STEPS = N gives the whole decomposition. */
#include <math.h>

#include "common.h"

#ifndef N
#define N 512
#endif
#ifndef STEPS
#define STEPS 4
#endif
#pragma logca work(N=8192, STEPS=8192)

static DATA_TYPE A[N][N], Q[N][N], R[N][N];

/* norm_threads is 1, and a parameter: a loop known to run once is no loop to an optimiser, and the
   launch of a single thread has to stay one. */
void kernel_gramschm(int norm_threads, DATA_TYPE A[N][N], DATA_TYPE Q[N][N], DATA_TYPE R[N][N])
{
    for (int k = 0; k < STEPS; k++) {
#pragma logca offload
        for (int thread = 0; thread < norm_threads; thread++) {
            DATA_TYPE sum = 0;
            for (int i = 0; i < N; i++) {
                const DATA_TYPE element = A[i][k];
                sum += element * element;
            }
            R[k][k] = (DATA_TYPE)sqrt((double)sum);
        }

#pragma logca offload
        for (int i = 0; i < N; i++)
            Q[i][k] = A[i][k] / R[k][k];

#pragma logca offload
        for (int j = k + 1; j < N; j++) {
            DATA_TYPE sum = 0;
            for (int i = 0; i < N; i++)
                sum += Q[i][k] * A[i][j];
            R[k][j] = sum;
            for (int i = 0; i < N; i++)
                A[i][j] -= Q[i][k] * sum;
        }
    }
}

int main(void)
{
    fill(1, &A[0][0], N, N);
    input("A", &A[0][0], (size_t)N * N);
    kernel_gramschm(1, A, Q, R);
    result("Q", &Q[0][0], (size_t)N * N);
    result("R", &R[0][0], (size_t)N * N);
    return 0;
}
