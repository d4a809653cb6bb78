/* cholesky: A = L L^T in place, row by row.

   Parallel: none. i reads rows above (flow), j reads what it wrote left of it in the row (flow), k
   and k2 subtract from one element (flow, output). */
#include <math.h>

#include "polybench.h"

#ifndef N
#define N 48
#endif

#define _PB_N POLYBENCH_LOOP_BOUND(N, n)
#define SQRT_FUN(x) sqrtf(x)

static void init_array(int n, DATA_TYPE POLYBENCH_2D(A, N, N))
{
    int i, j;

    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            A[i][j] = i == j ? (DATA_TYPE)n : (DATA_TYPE)((i + j) % n) / n;
}

static void print_array(int n, DATA_TYPE POLYBENCH_2D(A, N, N))
{
    int i, j;

    for (i = 0; i < n; i++) {
        for (j = 0; j <= i; j++)
            fprintf(stderr, DATA_PRINTF_MODIFIER, (double)A[i][j]);
        fprintf(stderr, "\n");
    }
}

static void kernel_cholesky(int n, DATA_TYPE POLYBENCH_2D(A, N, N))
{
    int i, j, k;

    for (i = 0; i < _PB_N; i++) { /* @i */
        for (j = 0; j < i; j++) { /* @j */
            for (k = 0; k < j; k++) { /* @k */
                A[i][j] -= A[i][k] * A[j][k];
            }
            A[i][j] /= A[j][j];
        }
        for (k = 0; k < i; k++) { /* @k2 */
            A[i][i] -= A[i][k] * A[i][k];
        }
        A[i][i] = SQRT_FUN(A[i][i]);
    }
}

int main(int argc, char **argv)
{
    int n = N;

    (void)argc, (void)argv;
    POLYBENCH_2D_ARRAY_DECL(A, DATA_TYPE, N, N);

    init_array(n, POLYBENCH_ARRAY(A));
    polybench_start_instruments;
    kernel_cholesky(n, POLYBENCH_ARRAY(A));
    polybench_stop_instruments;
    polybench_print_instruments;
    polybench_prevent_dce(print_array(n, POLYBENCH_ARRAY(A)));

    POLYBENCH_FREE_ARRAY(A);
    return 0;
}
