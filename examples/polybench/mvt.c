/* MVT: x1 = x1 + A y1 and x2 = x2 + A^T y2. Two launches: rows (x = i: A uncoalesced), columns
   (x = i: A coalesced). */
#include "common.h"

#ifndef N
#define N 1024
#endif
#pragma logca work(N=4096)

static DATA_TYPE A[N][N], x1[N], x2[N], y1[N], y2[N];

void kernel_mvt(DATA_TYPE A[N][N], DATA_TYPE x1[N], DATA_TYPE x2[N], DATA_TYPE y1[N],
                DATA_TYPE y2[N])
{
#pragma logca offload
    for (int i = 0; i < N; i++) {
        DATA_TYPE sum = x1[i];
        for (int j = 0; j < N; j++)
            sum += A[i][j] * y1[j];
        x1[i] = sum;
    }

#pragma logca offload
    for (int i = 0; i < N; i++) {
        DATA_TYPE sum = x2[i];
        for (int j = 0; j < N; j++)
            sum += A[j][i] * y2[j];
        x2[i] = sum;
    }
}

int main(void)
{
    fill(1, &A[0][0], N, N);
    fill(2, x1, 1, N);
    fill(3, x2, 1, N);
    fill(4, y1, 1, N);
    fill(5, y2, 1, N);
    input("A", &A[0][0], (size_t)N * N);
    input("x1", x1, N);
    input("x2", x2, N);
    input("y1", y1, N);
    input("y2", y2, N);
    kernel_mvt(A, x1, x2, y1, y2);
    result("x1", x1, N);
    result("x2", x2, N);
    return 0;
}
