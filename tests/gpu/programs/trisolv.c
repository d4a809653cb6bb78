/* trisolv: solve L x = b by forward substitution.

   Parallel: none. i needs all elements of x before its own (flow), j subtracts from one element in
   memory (flow, output). */
#include "polybench.h"

#ifndef N
#define N 120
#endif

#define _PB_N POLYBENCH_LOOP_BOUND(N, n)

static void init_array(int n, DATA_TYPE POLYBENCH_2D(L, N, N), DATA_TYPE POLYBENCH_1D(x, N),
                       DATA_TYPE POLYBENCH_1D(b, N))
{
    int i, j;

    for (i = 0; i < n; i++) {
        x[i] = -999;
        b[i] = (DATA_TYPE)i;
        for (j = 0; j <= i; j++)
            L[i][j] = (DATA_TYPE)(i + n - j + 1) * 2 / n;
    }
}

static void print_array(int n, DATA_TYPE POLYBENCH_1D(x, N))
{
    int i;

    for (i = 0; i < n; i++)
        fprintf(stderr, DATA_PRINTF_MODIFIER, (double)x[i]);
    fprintf(stderr, "\n");
}

static void kernel_trisolv(int n, DATA_TYPE POLYBENCH_2D(L, N, N), DATA_TYPE POLYBENCH_1D(x, N),
                           DATA_TYPE POLYBENCH_1D(b, N))
{
    int i, j;

    for (i = 0; i < _PB_N; i++) { /* @i */
        x[i] = b[i];
        for (j = 0; j < i; j++) /* @j */
            x[i] -= L[i][j] * x[j];
        x[i] = x[i] / L[i][i];
    }
}

int main(int argc, char **argv)
{
    int n = N;

    (void)argc, (void)argv;
    POLYBENCH_2D_ARRAY_DECL(L, DATA_TYPE, N, N);
    POLYBENCH_1D_ARRAY_DECL(x, DATA_TYPE, N);
    POLYBENCH_1D_ARRAY_DECL(b, DATA_TYPE, N);

    init_array(n, POLYBENCH_ARRAY(L), POLYBENCH_ARRAY(x), POLYBENCH_ARRAY(b));
    polybench_start_instruments;
    kernel_trisolv(n, POLYBENCH_ARRAY(L), POLYBENCH_ARRAY(x), POLYBENCH_ARRAY(b));
    polybench_stop_instruments;
    polybench_print_instruments;
    polybench_prevent_dce(print_array(n, POLYBENCH_ARRAY(x)));

    POLYBENCH_FREE_ARRAY(L);
    POLYBENCH_FREE_ARRAY(x);
    POLYBENCH_FREE_ARRAY(b);
    return 0;
}
