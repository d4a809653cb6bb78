/* GESUMMV: y = alpha A x + beta B x. x = i: A and B are uncoalesced, the vector is constant. */
#include "common.h"

#ifndef N
#define N 1024
#endif
#pragma logca work(N=4096)

static DATA_TYPE A[N][N], B[N][N], x[N], y[N];

void kernel_gesummv(DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE A[N][N], DATA_TYPE B[N][N],
                    DATA_TYPE x[N], DATA_TYPE y[N])
{
#pragma logca offload
    for (int i = 0; i < N; i++) {
        DATA_TYPE sum_a = 0, sum_b = 0;
        for (int j = 0; j < N; j++) {
            sum_a += A[i][j] * x[j];
            sum_b += B[i][j] * x[j];
        }
        y[i] = alpha * sum_a + beta * sum_b;
    }
}

int main(void)
{
    fill(1, &A[0][0], N, N);
    fill(2, &B[0][0], N, N);
    fill(3, x, 1, N);
    input("A", &A[0][0], (size_t)N * N);
    input("B", &B[0][0], (size_t)N * N);
    input("x", x, N);
    kernel_gesummv((DATA_TYPE)1.5, (DATA_TYPE)1.25, A, B, x, y);
    result("y", y, N);
    return 0;
}
