/* BICG: s = A^T r and q = A p. Two launches: columns (x = j: A coalesced), rows (x = i: A
   uncoalesced). */
#include "common.h"

#ifndef N
#define N 1024
#endif
#pragma logca work(N=4096)

static DATA_TYPE A[N][N], r[N], s[N], p[N], q[N];

void kernel_bicg(DATA_TYPE A[N][N], DATA_TYPE r[N], DATA_TYPE s[N], DATA_TYPE p[N], DATA_TYPE q[N])
{
#pragma logca offload
    for (int j = 0; j < N; j++) {
        DATA_TYPE sum = 0;
        for (int i = 0; i < N; i++)
            sum += r[i] * A[i][j];
        s[j] = sum;
    }

#pragma logca offload
    for (int i = 0; i < N; i++) {
        DATA_TYPE sum = 0;
        for (int j = 0; j < N; j++)
            sum += A[i][j] * p[j];
        q[i] = sum;
    }
}

int main(void)
{
    fill(1, &A[0][0], N, N);
    fill(2, r, 1, N);
    fill(3, p, 1, N);
    input("A", &A[0][0], (size_t)N * N);
    input("r", r, N);
    input("p", p, N);
    kernel_bicg(A, r, s, p, q);
    result("s", s, N);
    result("q", q, N);
    return 0;
}
