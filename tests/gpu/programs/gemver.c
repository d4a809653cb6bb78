/* gemver: A = A + u1 v1^T + u2 v2^T, x = x + beta A^T y + z, w = w + alpha A x.

   Parallel: i1 with j1, i2, i3, i4 (an element of a result for each). Serial: j2 and j4, which add
   to one element in memory (flow, output). */
#include "polybench.h"

#include "gemver.h"

static void init_array(int n, DATA_TYPE *alpha, DATA_TYPE *beta, DATA_TYPE POLYBENCH_2D(A, N, N),
                       DATA_TYPE POLYBENCH_1D(u1, N), DATA_TYPE POLYBENCH_1D(v1, N),
                       DATA_TYPE POLYBENCH_1D(u2, N), DATA_TYPE POLYBENCH_1D(v2, N),
                       DATA_TYPE POLYBENCH_1D(w, N), DATA_TYPE POLYBENCH_1D(x, N),
                       DATA_TYPE POLYBENCH_1D(y, N), DATA_TYPE POLYBENCH_1D(z, N))
{
    int i, j;

    *alpha = 1.5f;
    *beta = 1.2f;
    for (i = 0; i < n; i++) {
        u1[i] = (DATA_TYPE)i / n;
        u2[i] = (DATA_TYPE)(i + 1) / n / 2;
        v1[i] = (DATA_TYPE)(i + 1) / n / 4;
        v2[i] = (DATA_TYPE)(i + 1) / n / 6;
        y[i] = (DATA_TYPE)(i + 1) / n / 8;
        z[i] = (DATA_TYPE)(i + 1) / n / 9;
        x[i] = 0;
        w[i] = 0;
        for (j = 0; j < n; j++)
            A[i][j] = (DATA_TYPE)(i * j % n) / n;
    }
}

static void print_array(int n, DATA_TYPE POLYBENCH_1D(w, N))
{
    int i;

    for (i = 0; i < n; i++)
        fprintf(stderr, DATA_PRINTF_MODIFIER, (double)w[i]);
    fprintf(stderr, "\n");
}

static void kernel_gemver(int n, DATA_TYPE alpha, DATA_TYPE beta, DATA_TYPE POLYBENCH_2D(A, N, N),
                          DATA_TYPE POLYBENCH_1D(u1, N), DATA_TYPE POLYBENCH_1D(v1, N),
                          DATA_TYPE POLYBENCH_1D(u2, N), DATA_TYPE POLYBENCH_1D(v2, N),
                          DATA_TYPE POLYBENCH_1D(w, N), DATA_TYPE POLYBENCH_1D(x, N),
                          DATA_TYPE POLYBENCH_1D(y, N), DATA_TYPE POLYBENCH_1D(z, N))
{
    int i, j;

    for (i = 0; i < _PB_N; i++) /* @i1 */
        for (j = 0; j < _PB_N; j++) /* @j1 */
            A[i][j] = A[i][j] + u1[i] * v1[j] + u2[i] * v2[j];

    for (i = 0; i < _PB_N; i++) /* @i2 */
        for (j = 0; j < _PB_N; j++) /* @j2 */
            x[i] = x[i] + beta * A[j][i] * y[j];

    for (i = 0; i < _PB_N; i++) /* @i3 */
        x[i] = x[i] + z[i];

    for (i = 0; i < _PB_N; i++) /* @i4 */
        for (j = 0; j < _PB_N; j++) /* @j4 */
            w[i] = w[i] + alpha * A[i][j] * x[j];
}

int main(int argc, char **argv)
{
    int n = N;
    DATA_TYPE alpha;
    DATA_TYPE beta;

    (void)argc, (void)argv;
    POLYBENCH_2D_ARRAY_DECL(A, DATA_TYPE, N, N);
    POLYBENCH_1D_ARRAY_DECL(u1, DATA_TYPE, N);
    POLYBENCH_1D_ARRAY_DECL(v1, DATA_TYPE, N);
    POLYBENCH_1D_ARRAY_DECL(u2, DATA_TYPE, N);
    POLYBENCH_1D_ARRAY_DECL(v2, DATA_TYPE, N);
    POLYBENCH_1D_ARRAY_DECL(w, DATA_TYPE, N);
    POLYBENCH_1D_ARRAY_DECL(x, DATA_TYPE, N);
    POLYBENCH_1D_ARRAY_DECL(y, DATA_TYPE, N);
    POLYBENCH_1D_ARRAY_DECL(z, DATA_TYPE, N);

    init_array(n, &alpha, &beta, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(u1), POLYBENCH_ARRAY(v1),
               POLYBENCH_ARRAY(u2), POLYBENCH_ARRAY(v2), POLYBENCH_ARRAY(w), POLYBENCH_ARRAY(x),
               POLYBENCH_ARRAY(y), POLYBENCH_ARRAY(z));
    polybench_start_instruments;
    kernel_gemver(n, alpha, beta, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(u1), POLYBENCH_ARRAY(v1),
                  POLYBENCH_ARRAY(u2), POLYBENCH_ARRAY(v2), POLYBENCH_ARRAY(w),
                  POLYBENCH_ARRAY(x), POLYBENCH_ARRAY(y), POLYBENCH_ARRAY(z));
    polybench_stop_instruments;
    polybench_print_instruments;
    polybench_prevent_dce(print_array(n, POLYBENCH_ARRAY(w)));

    POLYBENCH_FREE_ARRAY(A);
    POLYBENCH_FREE_ARRAY(u1);
    POLYBENCH_FREE_ARRAY(v1);
    POLYBENCH_FREE_ARRAY(u2);
    POLYBENCH_FREE_ARRAY(v2);
    POLYBENCH_FREE_ARRAY(w);
    POLYBENCH_FREE_ARRAY(x);
    POLYBENCH_FREE_ARRAY(y);
    POLYBENCH_FREE_ARRAY(z);
    return 0;
}
