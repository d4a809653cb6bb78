/* symm: C = alpha A B + beta C, of a symmetric A the lower triangle only is read.

   Parallel: j (columns of B and C). Serial: i adds to rows of C above, which earlier iterations
   wrote (flow, output); k sums in temp2 (register), while its elements of C are all different. */
#include "polybench.h"

#ifndef M
#define M 40
#endif
#ifndef N
#define N 48
#endif

#define _PB_M POLYBENCH_LOOP_BOUND(M, m)
#define _PB_N POLYBENCH_LOOP_BOUND(N, n)

static void init_array(int m, int n, DATA_TYPE *alpha, DATA_TYPE *beta,
                       DATA_TYPE POLYBENCH_2D(C, M, N), DATA_TYPE POLYBENCH_2D(A, M, M),
                       DATA_TYPE POLYBENCH_2D(B, M, N))
{
    int i, j;

    *alpha = 1.5f;
    *beta = 1.2f;
    for (i = 0; i < m; i++) {
        for (j = 0; j < n; j++) {
            C[i][j] = (DATA_TYPE)((i + j) % 100) / m;
            B[i][j] = (DATA_TYPE)((n + i - j) % 100) / m;
        }
        for (j = 0; j < m; j++)
            A[i][j] = j <= i ? (DATA_TYPE)((i + j) % 100) / m : -999;
    }
}

static void print_array(int m, int n, DATA_TYPE POLYBENCH_2D(C, M, N))
{
    int i, j;

    for (i = 0; i < m; i++) {
        for (j = 0; j < n; j++)
            fprintf(stderr, DATA_PRINTF_MODIFIER, (double)C[i][j]);
        fprintf(stderr, "\n");
    }
}

static void kernel_symm(int m, int n, DATA_TYPE alpha, DATA_TYPE beta,
                        DATA_TYPE POLYBENCH_2D(C, M, N), DATA_TYPE POLYBENCH_2D(A, M, M),
                        DATA_TYPE POLYBENCH_2D(B, M, N))
{
    int i, j, k;
    DATA_TYPE temp2;

    for (i = 0; i < _PB_M; i++) /* @i */
        for (j = 0; j < _PB_N; j++) { /* @j */
            temp2 = 0;
            for (k = 0; k < i; k++) { /* @k */
                C[k][j] += alpha * B[i][j] * A[i][k];
                temp2 += B[k][j] * A[i][k];
            }
            C[i][j] = beta * C[i][j] + alpha * B[i][j] * A[i][i] + alpha * temp2;
        }
}

int main(int argc, char **argv)
{
    int m = M;
    int n = N;
    DATA_TYPE alpha;
    DATA_TYPE beta;

    (void)argc, (void)argv;
    POLYBENCH_2D_ARRAY_DECL(C, DATA_TYPE, M, N);
    POLYBENCH_2D_ARRAY_DECL(A, DATA_TYPE, M, M);
    POLYBENCH_2D_ARRAY_DECL(B, DATA_TYPE, M, N);

    init_array(m, n, &alpha, &beta, POLYBENCH_ARRAY(C), POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(B));
    polybench_start_instruments;
    kernel_symm(m, n, alpha, beta, POLYBENCH_ARRAY(C), POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(B));
    polybench_stop_instruments;
    polybench_print_instruments;
    polybench_prevent_dce(print_array(m, n, POLYBENCH_ARRAY(C)));

    POLYBENCH_FREE_ARRAY(C);
    POLYBENCH_FREE_ARRAY(A);
    POLYBENCH_FREE_ARRAY(B);
    return 0;
}
