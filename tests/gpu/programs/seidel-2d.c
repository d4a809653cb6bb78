/* seidel-2d: nine-point smoothing in place.

   Parallel: none. i and j read neighbours already renewed in this sweep (flow) and neighbours that
   will be renewed later in it (anti); t reads and writes all of A again (flow, anti, output). */
#include "polybench.h"

#ifndef N
#define N 60
#endif
#ifndef TSTEPS
#define TSTEPS 5
#endif

#define _PB_N POLYBENCH_LOOP_BOUND(N, n)
#define _PB_TSTEPS POLYBENCH_LOOP_BOUND(TSTEPS, tsteps)

static void init_array(int n, DATA_TYPE POLYBENCH_2D(A, N, N))
{
    int i, j;

    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            A[i][j] = ((DATA_TYPE)i * (j + 2) + 2) / n;
}

static void print_array(int n, DATA_TYPE POLYBENCH_2D(A, N, N))
{
    int i, j;

    for (i = 0; i < n; i++) {
        for (j = 0; j < n; j++)
            fprintf(stderr, DATA_PRINTF_MODIFIER, (double)A[i][j]);
        fprintf(stderr, "\n");
    }
}

static void kernel_seidel_2d(int tsteps, int n, DATA_TYPE POLYBENCH_2D(A, N, N))
{
    int t, i, j;

    for (t = 0; t <= _PB_TSTEPS - 1; t++) /* @t */
        for (i = 1; i <= _PB_N - 2; i++) /* @i */
            for (j = 1; j <= _PB_N - 2; j++) /* @j */
                A[i][j] = (A[i - 1][j - 1] + A[i - 1][j] + A[i - 1][j + 1]
                           + A[i][j - 1] + A[i][j] + A[i][j + 1]
                           + A[i + 1][j - 1] + A[i + 1][j] + A[i + 1][j + 1]) / 9.0f;
}

int main(int argc, char **argv)
{
    int n = N;
    int tsteps = TSTEPS;

    (void)argc, (void)argv;
    POLYBENCH_2D_ARRAY_DECL(A, DATA_TYPE, N, N);

    init_array(n, POLYBENCH_ARRAY(A));
    polybench_start_instruments;
    kernel_seidel_2d(tsteps, n, POLYBENCH_ARRAY(A));
    polybench_stop_instruments;
    polybench_print_instruments;
    polybench_prevent_dce(print_array(n, POLYBENCH_ARRAY(A)));

    POLYBENCH_FREE_ARRAY(A);
    return 0;
}
