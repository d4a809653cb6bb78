/* LUDCMP: A x = b by A = L U in place, L with a unit diagonal, row by row, and two triangular solves.
   Only the elements of a row from the diagonal on do not depend on each other (x = j). */
#include "common.h"

#ifndef N
#define N 64
#endif
#pragma logca work(N=1024)

static DATA_TYPE A[N][N], b[N], x[N], y[N];

void kernel_ludcmp(DATA_TYPE A[N][N], DATA_TYPE b[N], DATA_TYPE x[N], DATA_TYPE y[N])
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < i; j++) {
            DATA_TYPE w = A[i][j];
            for (int k = 0; k < j; k++)
                w -= A[i][k] * A[k][j];
            A[i][j] = w / A[j][j];
        }
#pragma logca offload
        for (int j = i; j < N; j++) {
            DATA_TYPE w = A[i][j];
            for (int k = 0; k < i; k++)
                w -= A[i][k] * A[k][j];
            A[i][j] = w;
        }
    }
    for (int i = 0; i < N; i++) {
        DATA_TYPE w = b[i];
        for (int j = 0; j < i; j++)
            w -= A[i][j] * y[j];
        y[i] = w;
    }
    for (int i = N - 1; i >= 0; i--) {
        DATA_TYPE w = y[i];
        for (int j = i + 1; j < N; j++)
            w -= A[i][j] * x[j];
        x[i] = w / A[i][i];
    }
}

int main(void)
{
    fill(1, &A[0][0], N, N);
    fill(2, b, 1, N);
    for (int i = 0; i < N; i++)
        A[i][i] += N;
    input("A", &A[0][0], (size_t)N * N);
    input("b", b, N);
    kernel_ludcmp(A, b, x, y);
    result("A", &A[0][0], (size_t)N * N);
    result("x", x, N);
    return 0;
}
