/* jacobi-1d: three-point smoothing to and fro between two arrays.

   Parallel: i1 and i2, each writes an array that it does not read. Serial: t, whose next step reads
   the A of this one (flow) and writes both arrays again (output; anti for B, which i2 has read). */
#include "polybench.h"

#ifndef N
#define N 400
#endif
#ifndef TSTEPS
#define TSTEPS 20
#endif

#define _PB_N POLYBENCH_LOOP_BOUND(N, n)
#define _PB_TSTEPS POLYBENCH_LOOP_BOUND(TSTEPS, tsteps)

static void init_array(int n, DATA_TYPE POLYBENCH_1D(A, N), DATA_TYPE POLYBENCH_1D(B, N))
{
    int i;

    for (i = 0; i < n; i++) {
        A[i] = ((DATA_TYPE)i + 2) / n;
        B[i] = ((DATA_TYPE)i + 3) / n;
    }
}

static void print_array(int n, DATA_TYPE POLYBENCH_1D(A, N))
{
    int i;

    for (i = 0; i < n; i++)
        fprintf(stderr, DATA_PRINTF_MODIFIER, (double)A[i]);
    fprintf(stderr, "\n");
}

static void kernel_jacobi_1d(int tsteps, int n, DATA_TYPE POLYBENCH_1D(A, N),
                             DATA_TYPE POLYBENCH_1D(B, N))
{
    int t, i;

    for (t = 0; t < _PB_TSTEPS; t++) { /* @t */
        for (i = 1; i < _PB_N - 1; i++) /* @i1 */
            B[i] = 0.33333f * (A[i - 1] + A[i] + A[i + 1]);
        for (i = 1; i < _PB_N - 1; i++) /* @i2 */
            A[i] = 0.33333f * (B[i - 1] + B[i] + B[i + 1]);
    }
}

int main(int argc, char **argv)
{
    int n = N;
    int tsteps = TSTEPS;

    (void)argc, (void)argv;
    POLYBENCH_1D_ARRAY_DECL(A, DATA_TYPE, N);
    POLYBENCH_1D_ARRAY_DECL(B, DATA_TYPE, N);

    init_array(n, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(B));
    polybench_start_instruments;
    kernel_jacobi_1d(tsteps, n, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(B));
    polybench_stop_instruments;
    polybench_print_instruments;
    polybench_prevent_dce(print_array(n, POLYBENCH_ARRAY(A)));

    POLYBENCH_FREE_ARRAY(A);
    POLYBENCH_FREE_ARRAY(B);
    return 0;
}
