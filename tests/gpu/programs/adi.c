/* adi: heat equation by alternating directions, a tridiagonal solve along columns, then rows.

   Parallel: i1 and i2 (every line has its own row of p and q). Serial: j1 and j2 (p, q flow), b1
   and b2, which run backwards (v, u flow); t reads the u of the step before (flow) and writes all
   arrays again (anti, output). */
#include "polybench.h"

#ifndef N
#define N 40
#endif
#ifndef TSTEPS
#define TSTEPS 5
#endif

#define _PB_N POLYBENCH_LOOP_BOUND(N, n)
#define _PB_TSTEPS POLYBENCH_LOOP_BOUND(TSTEPS, tsteps)

static void init_array(int n, DATA_TYPE POLYBENCH_2D(u, N, N))
{
    int i, j;

    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            u[i][j] = (DATA_TYPE)(i + n - j) / n;
}

static void print_array(int n, DATA_TYPE POLYBENCH_2D(u, N, N))
{
    int i, j;

    for (i = 0; i < n; i++) {
        for (j = 0; j < n; j++)
            fprintf(stderr, DATA_PRINTF_MODIFIER, (double)u[i][j]);
        fprintf(stderr, "\n");
    }
}

static void kernel_adi(int tsteps, int n, DATA_TYPE POLYBENCH_2D(u, N, N),
                       DATA_TYPE POLYBENCH_2D(v, N, N), DATA_TYPE POLYBENCH_2D(p, N, N),
                       DATA_TYPE POLYBENCH_2D(q, N, N))
{
    const float dx = 1.0f / _PB_N, dy = 1.0f / _PB_N, dt = 1.0f / _PB_TSTEPS;
    const float mul1 = 2.0f * dt / (dx * dx), mul2 = dt / (dy * dy);
    const float a = -mul1 / 2, b = 1 + mul1, c = a;
    const float d = -mul2 / 2, e = 1 + mul2, f = d;
    int t, i, j;

    for (t = 1; t <= _PB_TSTEPS; t++) { /* @t */
        for (i = 1; i < _PB_N - 1; i++) { /* @i1 */
            v[0][i] = 1.0f;
            p[i][0] = 0.0f;
            q[i][0] = v[0][i];
            for (j = 1; j < _PB_N - 1; j++) { /* @j1 */
                p[i][j] = -c / (a * p[i][j - 1] + b);
                q[i][j] = (-d * u[j][i - 1] + (1 + 2 * d) * u[j][i] - f * u[j][i + 1]
                           - a * q[i][j - 1]) / (a * p[i][j - 1] + b);
            }
            v[_PB_N - 1][i] = 1.0f;
            for (j = _PB_N - 2; j >= 1; j--) { /* @b1 */
                v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
            }
        }
        for (i = 1; i < _PB_N - 1; i++) { /* @i2 */
            u[i][0] = 1.0f;
            p[i][0] = 0.0f;
            q[i][0] = u[i][0];
            for (j = 1; j < _PB_N - 1; j++) { /* @j2 */
                p[i][j] = -f / (d * p[i][j - 1] + e);
                q[i][j] = (-a * v[i - 1][j] + (1 + 2 * a) * v[i][j] - c * v[i + 1][j]
                           - d * q[i][j - 1]) / (d * p[i][j - 1] + e);
            }
            u[i][_PB_N - 1] = 1.0f;
            for (j = _PB_N - 2; j >= 1; j--) { /* @b2 */
                u[i][j] = p[i][j] * u[i][j + 1] + q[i][j];
            }
        }
    }
}

int main(int argc, char **argv)
{
    int n = N;
    int tsteps = TSTEPS;

    (void)argc, (void)argv;
    POLYBENCH_2D_ARRAY_DECL(u, DATA_TYPE, N, N);
    POLYBENCH_2D_ARRAY_DECL(v, DATA_TYPE, N, N);
    POLYBENCH_2D_ARRAY_DECL(p, DATA_TYPE, N, N);
    POLYBENCH_2D_ARRAY_DECL(q, DATA_TYPE, N, N);

    init_array(n, POLYBENCH_ARRAY(u));
    polybench_start_instruments;
    kernel_adi(tsteps, n, POLYBENCH_ARRAY(u), POLYBENCH_ARRAY(v), POLYBENCH_ARRAY(p),
               POLYBENCH_ARRAY(q));
    polybench_stop_instruments;
    polybench_print_instruments;
    polybench_prevent_dce(print_array(n, POLYBENCH_ARRAY(u)));

    POLYBENCH_FREE_ARRAY(u);
    POLYBENCH_FREE_ARRAY(v);
    POLYBENCH_FREE_ARRAY(p);
    POLYBENCH_FREE_ARRAY(q);
    return 0;
}
