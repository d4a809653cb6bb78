/* TRISOLV: L x = b with a lower triangle L, row by row. As it is written every loop needs what its
   iterations before have left. */
#include "common.h"

#ifndef N
#define N 256
#endif
#pragma logca work(N=2048)

static DATA_TYPE L[N][N], x[N], b[N];

void kernel_trisolv(DATA_TYPE L[N][N], DATA_TYPE x[N], DATA_TYPE b[N])
{
    for (int i = 0; i < N; i++) {
        x[i] = b[i];
        for (int j = 0; j < i; j++)
            x[i] -= L[i][j] * x[j];
        x[i] /= L[i][i];
    }
}

int main(void)
{
    fill(1, &L[0][0], N, N);
    fill(2, b, 1, N);
    for (int i = 0; i < N; i++)
        L[i][i] += N;
    input("L", &L[0][0], (size_t)N * N);
    input("b", b, N);
    kernel_trisolv(L, x, b);
    result("x", x, N);
    return 0;
}
