/* durbin: solve a Toeplitz system by Durbin's recursion.

   Parallel: i2 (z from y) and i3 (y from z). Serial: i sums in sum (register); k needs alpha and
   beta of the step before (register), its y (flow), and writes y and z again (output; anti for
   z). */
#include "polybench.h"

#ifndef N
#define N 120
#endif

#define _PB_N POLYBENCH_LOOP_BOUND(N, n)

static void init_array(int n, DATA_TYPE POLYBENCH_1D(r, N))
{
    int i;

    for (i = 0; i < n; i++)
        r[i] = 1.0f / (DATA_TYPE)(4 * n + i);
}

static void print_array(int n, DATA_TYPE POLYBENCH_1D(y, N))
{
    int i;

    for (i = 0; i < n; i++)
        fprintf(stderr, "%0.8f ", (double)y[i]);
    fprintf(stderr, "\n");
}

static void kernel_durbin(int n, DATA_TYPE POLYBENCH_1D(r, N), DATA_TYPE POLYBENCH_1D(y, N))
{
    DATA_TYPE z[N];
    DATA_TYPE alpha;
    DATA_TYPE beta;
    DATA_TYPE sum;
    int i, k;

    y[0] = -r[0];
    beta = 1.0f;
    alpha = -r[0];

    for (k = 1; k < _PB_N; k++) { /* @k */
        beta = (1 - alpha * alpha) * beta;
        sum = 0.0f;
        for (i = 0; i < k; i++) { /* @i */
            sum += r[k - i - 1] * y[i];
        }
        alpha = -(r[k] + sum) / beta;
        for (i = 0; i < k; i++) { /* @i2 */
            z[i] = y[i] + alpha * y[k - i - 1];
        }
        for (i = 0; i < k; i++) { /* @i3 */
            y[i] = z[i];
        }
        y[k] = alpha;
    }
}

int main(int argc, char **argv)
{
    int n = N;

    (void)argc, (void)argv;
    POLYBENCH_1D_ARRAY_DECL(r, DATA_TYPE, N);
    POLYBENCH_1D_ARRAY_DECL(y, DATA_TYPE, N);

    init_array(n, POLYBENCH_ARRAY(r));
    polybench_start_instruments;
    kernel_durbin(n, POLYBENCH_ARRAY(r), POLYBENCH_ARRAY(y));
    polybench_stop_instruments;
    polybench_print_instruments;
    polybench_prevent_dce(print_array(n, POLYBENCH_ARRAY(y)));

    POLYBENCH_FREE_ARRAY(r);
    POLYBENCH_FREE_ARRAY(y);
    return 0;
}
