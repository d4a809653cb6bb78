/* heat-3d: heat equation on a cube, to and fro between two arrays.

   Parallel: both nests of three loops, each writes an array that it does not read. Serial: t, whose
   next step reads the A of this one (flow) and writes both again (output; anti for B). */
#include "polybench.h"

#ifndef N
#define N 20
#endif
#ifndef TSTEPS
#define TSTEPS 5
#endif

#define _PB_N POLYBENCH_LOOP_BOUND(N, n)
#define _PB_TSTEPS POLYBENCH_LOOP_BOUND(TSTEPS, tsteps)

static void init_array(int n, DATA_TYPE POLYBENCH_3D(A, N, N, N),
                       DATA_TYPE POLYBENCH_3D(B, N, N, N))
{
    int i, j, k;

    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            for (k = 0; k < n; k++)
                A[i][j][k] = B[i][j][k] = (DATA_TYPE)(i + j + (n - k)) * 10 / n;
}

static void print_array(int n, DATA_TYPE POLYBENCH_3D(A, N, N, N))
{
    int i, j, k;

    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            for (k = 0; k < n; k++)
                fprintf(stderr, DATA_PRINTF_MODIFIER, (double)A[i][j][k]);
            fprintf(stderr, "\n");
        }
}

static void kernel_heat_3d(int tsteps, int n, DATA_TYPE POLYBENCH_3D(A, N, N, N),
                           DATA_TYPE POLYBENCH_3D(B, N, N, N))
{
    int t, i, j, k;

    for (t = 1; t <= _PB_TSTEPS; t++) { /* @t */
        for (i = 1; i < _PB_N - 1; i++) { /* @i1 */
            for (j = 1; j < _PB_N - 1; j++) { /* @j1 */
                for (k = 1; k < _PB_N - 1; k++) { /* @k1 */
                    B[i][j][k] = 0.125f * (A[i + 1][j][k] - 2 * A[i][j][k] + A[i - 1][j][k])
                               + 0.125f * (A[i][j + 1][k] - 2 * A[i][j][k] + A[i][j - 1][k])
                               + 0.125f * (A[i][j][k + 1] - 2 * A[i][j][k] + A[i][j][k - 1])
                               + A[i][j][k];
                }
            }
        }
        for (i = 1; i < _PB_N - 1; i++) { /* @i2 */
            for (j = 1; j < _PB_N - 1; j++) { /* @j2 */
                for (k = 1; k < _PB_N - 1; k++) { /* @k2 */
                    A[i][j][k] = 0.125f * (B[i + 1][j][k] - 2 * B[i][j][k] + B[i - 1][j][k])
                               + 0.125f * (B[i][j + 1][k] - 2 * B[i][j][k] + B[i][j - 1][k])
                               + 0.125f * (B[i][j][k + 1] - 2 * B[i][j][k] + B[i][j][k - 1])
                               + B[i][j][k];
                }
            }
        }
    }
}

int main(int argc, char **argv)
{
    int n = N;
    int tsteps = TSTEPS;

    (void)argc, (void)argv;
    POLYBENCH_3D_ARRAY_DECL(A, DATA_TYPE, N, N, N);
    POLYBENCH_3D_ARRAY_DECL(B, DATA_TYPE, N, N, N);

    init_array(n, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(B));
    polybench_start_instruments;
    kernel_heat_3d(tsteps, n, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(B));
    polybench_stop_instruments;
    polybench_print_instruments;
    polybench_prevent_dce(print_array(n, POLYBENCH_ARRAY(A)));

    POLYBENCH_FREE_ARRAY(A);
    POLYBENCH_FREE_ARRAY(B);
    return 0;
}
