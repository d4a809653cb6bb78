/* JACOBI-1D: the mean of an element and its two neighbours, to and fro between two rows. x = i. */
#include "common.h"

#ifndef N
#define N 1024
#endif
#ifndef TMAX
#define TMAX 10
#endif
#pragma logca work(N=4096, TMAX=500)

static DATA_TYPE A[N], B[N];

void kernel_jacobi_1d(DATA_TYPE A[N], DATA_TYPE B[N])
{
    const DATA_TYPE third = (DATA_TYPE)0.33333;

    for (int t = 0; t < TMAX; t++) {
#pragma logca offload
        for (int i = 1; i < N - 1; i++)
            B[i] = third * (A[i - 1] + A[i] + A[i + 1]);

#pragma logca offload
        for (int i = 1; i < N - 1; i++)
            A[i] = third * (B[i - 1] + B[i] + B[i + 1]);
    }
}

int main(void)
{
    fill(1, A, 1, N);
    fill(2, B, 1, N);
    input("A", A, N);
    input("B", B, N);
    kernel_jacobi_1d(A, B);
    result("A", A, N);
    return 0;
}
