/* TRMM: B = alpha A' B in place, A a lower triangle with a unit diagonal. A row needs those below it
   as they were; one launch for each row (x = j). */
#include "common.h"

#ifndef N
#define N 64
#endif
#pragma logca work(N=1024)

static DATA_TYPE A[N][N], B[N][N];

void kernel_trmm(DATA_TYPE alpha, DATA_TYPE A[N][N], DATA_TYPE B[N][N])
{
    for (int i = 0; i < N; i++)
#pragma logca offload
        for (int j = 0; j < N; j++) {
            for (int k = i + 1; k < N; k++)
                B[i][j] += A[k][i] * B[k][j];
            B[i][j] *= alpha;
        }
}

int main(void)
{
    fill(1, &A[0][0], N, N);
    fill(2, &B[0][0], N, N);
    input("A", &A[0][0], (size_t)N * N);
    input("B", &B[0][0], (size_t)N * N);
    kernel_trmm((DATA_TYPE)1.5, A, B);
    result("B", &B[0][0], (size_t)N * N);
    return 0;
}
