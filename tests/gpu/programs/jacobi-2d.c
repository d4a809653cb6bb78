/* jacobi-2d: five-point smoothing to and fro between two arrays.

   Parallel: i1 with j1 and i2 with j2, each nest writes an array that it does not read. Serial: t,
   whose next step reads the A of this one (flow) and writes both again (output; anti for B). */
#include "polybench.h"

#ifndef N
#define N 90
#endif
#ifndef TSTEPS
#define TSTEPS 10
#endif

#define _PB_N POLYBENCH_LOOP_BOUND(N, n)
#define _PB_TSTEPS POLYBENCH_LOOP_BOUND(TSTEPS, tsteps)

static void init_array(int n, DATA_TYPE POLYBENCH_2D(A, N, N), DATA_TYPE POLYBENCH_2D(B, N, N))
{
    int i, j;

    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            A[i][j] = ((DATA_TYPE)i * (j + 2) + 2) / n;
            B[i][j] = ((DATA_TYPE)i * (j + 3) + 3) / n;
        }
}

static void print_array(int n, DATA_TYPE POLYBENCH_2D(A, N, N))
{
    int i, j;

    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            fprintf(stderr, DATA_PRINTF_MODIFIER, (double)A[i][j]);
            if ((i * n + j) % 20 == 0)
                fprintf(stderr, "\n");
        }
    fprintf(stderr, "\n");
}

static void kernel_jacobi_2d(int tsteps, int n, DATA_TYPE POLYBENCH_2D(A, N, N),
                             DATA_TYPE POLYBENCH_2D(B, N, N))
{
    int t, i, j;

    for (t = 0; t < _PB_TSTEPS; t++) { /* @t */
        for (i = 1; i < _PB_N - 1; i++) /* @i1 */
            for (j = 1; j < _PB_N - 1; j++) /* @j1 */
                B[i][j] = 0.2f * (A[i][j] + A[i][j - 1] + A[i][1 + j] + A[1 + i][j] + A[i - 1][j]);
        for (i = 1; i < _PB_N - 1; i++) /* @i2 */
            for (j = 1; j < _PB_N - 1; j++) /* @j2 */
                A[i][j] = 0.2f * (B[i][j] + B[i][j - 1] + B[i][1 + j] + B[1 + i][j] + B[i - 1][j]);
    }
}

int main(int argc, char **argv)
{
    int n = N;
    int tsteps = TSTEPS;

    (void)argc, (void)argv;
    POLYBENCH_2D_ARRAY_DECL(A, DATA_TYPE, N, N);
    POLYBENCH_2D_ARRAY_DECL(B, DATA_TYPE, N, N);

    init_array(n, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(B));
    polybench_start_instruments;
    kernel_jacobi_2d(tsteps, n, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(B));
    polybench_stop_instruments;
    polybench_print_instruments;
    polybench_prevent_dce(print_array(n, POLYBENCH_ARRAY(A)));

    POLYBENCH_FREE_ARRAY(A);
    POLYBENCH_FREE_ARRAY(B);
    return 0;
}
