/* trmm: B = alpha A^T B in place, A lower triangular with a unit diagonal.

   Parallel: j (columns of B). Serial: i reads rows below, which later iterations overwrite (anti);
   k adds to one element (flow, output). */
#include "polybench.h"

#ifndef M
#define M 40
#endif
#ifndef N
#define N 48
#endif

#define _PB_M POLYBENCH_LOOP_BOUND(M, m)
#define _PB_N POLYBENCH_LOOP_BOUND(N, n)

static void init_array(int m, int n, DATA_TYPE *alpha, DATA_TYPE POLYBENCH_2D(A, M, M),
                       DATA_TYPE POLYBENCH_2D(B, M, N))
{
    int i, j;

    *alpha = 1.5f;
    for (i = 0; i < m; i++) {
        for (j = 0; j < m; j++)
            A[i][j] = j < i ? (DATA_TYPE)((i + j) % m) / m : (DATA_TYPE)(i == j);
        for (j = 0; j < n; j++)
            B[i][j] = (DATA_TYPE)((n + (i - j)) % n) / n;
    }
}

static void print_array(int m, int n, DATA_TYPE POLYBENCH_2D(B, M, N))
{
    int i, j;

    for (i = 0; i < m; i++) {
        for (j = 0; j < n; j++)
            fprintf(stderr, DATA_PRINTF_MODIFIER, (double)B[i][j]);
        fprintf(stderr, "\n");
    }
}

static void kernel_trmm(int m, int n, DATA_TYPE alpha, DATA_TYPE POLYBENCH_2D(A, M, M),
                        DATA_TYPE POLYBENCH_2D(B, M, N))
{
    int i, j, k;

    for (i = 0; i < _PB_M; i++) /* @i */
        for (j = 0; j < _PB_N; j++) { /* @j */
            for (k = i + 1; k < _PB_M; k++) /* @k */
                B[i][j] += A[k][i] * B[k][j];
            B[i][j] = alpha * B[i][j];
        }
}

int main(int argc, char **argv)
{
    int m = M;
    int n = N;
    DATA_TYPE alpha;

    (void)argc, (void)argv;
    POLYBENCH_2D_ARRAY_DECL(A, DATA_TYPE, M, M);
    POLYBENCH_2D_ARRAY_DECL(B, DATA_TYPE, M, N);

    init_array(m, n, &alpha, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(B));
    polybench_start_instruments;
    kernel_trmm(m, n, alpha, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(B));
    polybench_stop_instruments;
    polybench_print_instruments;
    polybench_prevent_dce(print_array(m, n, POLYBENCH_ARRAY(B)));

    POLYBENCH_FREE_ARRAY(A);
    POLYBENCH_FREE_ARRAY(B);
    return 0;
}
