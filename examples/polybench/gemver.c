/* GEMVER: A = A + u1 v1^T + u2 v2^T, x = x + beta A^T y + z, w = w + alpha A x.
   One function for each loop nest; GEMVER1 of Table 7 is rank_two_update. */
#include "common.h"

#ifndef N
#define N 1024
#endif
#pragma logca work(N=2048)

static DATA_TYPE A[N][N], u1[N], v1[N], u2[N], v2[N], w[N], x[N], y[N], z[N];

/* x = j: A, v1 and v2 are coalesced, u1 and u2 constant in a warp. */
void rank_two_update(DATA_TYPE A[N][N], DATA_TYPE u1[N], DATA_TYPE v1[N], DATA_TYPE u2[N],
                     DATA_TYPE v2[N])
{
#pragma logca offload collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            A[i][j] = A[i][j] + u1[i] * v1[j] + u2[i] * v2[j];
}

/* x = i: A is coalesced, y constant in a warp. */
void transposed_product(DATA_TYPE beta, DATA_TYPE A[N][N], DATA_TYPE x[N], DATA_TYPE y[N],
                        DATA_TYPE z[N])
{
#pragma logca offload
    for (int i = 0; i < N; i++) {
        DATA_TYPE sum = x[i];
        for (int j = 0; j < N; j++)
            sum += beta * A[j][i] * y[j];
        x[i] = sum + z[i];
    }
}

/* x = i: A is uncoalesced, the vector constant in a warp. */
void product(DATA_TYPE alpha, DATA_TYPE A[N][N], DATA_TYPE w[N], DATA_TYPE x[N])
{
#pragma logca offload
    for (int i = 0; i < N; i++) {
        DATA_TYPE sum = w[i];
        for (int j = 0; j < N; j++)
            sum += alpha * A[i][j] * x[j];
        w[i] = sum;
    }
}

int main(void)
{
    fill(1, &A[0][0], N, N);
    fill(2, u1, 1, N);
    fill(3, v1, 1, N);
    fill(4, u2, 1, N);
    fill(5, v2, 1, N);
    fill(6, w, 1, N);
    fill(7, x, 1, N);
    fill(8, y, 1, N);
    fill(9, z, 1, N);
    input("A", &A[0][0], (size_t)N * N);
    input("u1", u1, N);
    input("v1", v1, N);
    input("u2", u2, N);
    input("v2", v2, N);
    input("w", w, N);
    input("x", x, N);
    input("y", y, N);
    input("z", z, N);
    rank_two_update(A, u1, v1, u2, v2);
    transposed_product((DATA_TYPE)1.25, A, x, y, z);
    product((DATA_TYPE)1.5, A, w, x);
    result("A", &A[0][0], (size_t)N * N);
    result("x", x, N);
    result("w", w, N);
    return 0;
}
