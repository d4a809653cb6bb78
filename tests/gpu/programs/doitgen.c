/* doitgen: A[r][q][*] = A[r][q][*] C4, by way of a row buffer.

   Parallel: r and q, with a row buffer for each iteration: they use the buffer again (anti, output)
   but pass nothing on in it (no flow). Inside, p (each element of the buffer its own sum) and p2.
   Serial: s adds to one element of the buffer (flow, output). */
#include "polybench.h"

#ifndef NR
#define NR 16
#endif
#ifndef NQ
#define NQ 14
#endif
#ifndef NP
#define NP 24
#endif

#define _PB_NR POLYBENCH_LOOP_BOUND(NR, nr)
#define _PB_NQ POLYBENCH_LOOP_BOUND(NQ, nq)
#define _PB_NP POLYBENCH_LOOP_BOUND(NP, np)

static void init_array(int nr, int nq, int np, DATA_TYPE POLYBENCH_3D(A, NR, NQ, NP),
                       DATA_TYPE POLYBENCH_2D(C4, NP, NP))
{
    int i, j, k;

    for (i = 0; i < nr; i++)
        for (j = 0; j < nq; j++)
            for (k = 0; k < np; k++)
                A[i][j][k] = (DATA_TYPE)((i * j + k) % np) / np;
    for (i = 0; i < np; i++)
        for (j = 0; j < np; j++)
            C4[i][j] = (DATA_TYPE)(i * j % np) / np;
}

static void print_array(int nr, int nq, int np, DATA_TYPE POLYBENCH_3D(A, NR, NQ, NP))
{
    int i, j, k;

    for (i = 0; i < nr; i++)
        for (j = 0; j < nq; j++) {
            for (k = 0; k < np; k++)
                fprintf(stderr, DATA_PRINTF_MODIFIER, (double)A[i][j][k]);
            fprintf(stderr, "\n");
        }
}

void kernel_doitgen(int nr, int nq, int np, DATA_TYPE POLYBENCH_3D(A, NR, NQ, NP),
                    DATA_TYPE POLYBENCH_2D(C4, NP, NP), DATA_TYPE POLYBENCH_1D(sum, NP))
{
    int r, q, p, s;

    for (r = 0; r < _PB_NR; r++) /* @r */
        for (q = 0; q < _PB_NQ; q++) { /* @q */
            for (p = 0; p < _PB_NP; p++) { /* @p */
                sum[p] = 0.0f;
                for (s = 0; s < _PB_NP; s++) /* @s */
                    sum[p] += A[r][q][s] * C4[s][p];
            }
            for (p = 0; p < _PB_NP; p++) /* @p2 */
                A[r][q][p] = sum[p];
        }
}

int main(int argc, char **argv)
{
    int nr = NR;
    int nq = NQ;
    int np = NP;

    (void)argc, (void)argv;
    POLYBENCH_3D_ARRAY_DECL(A, DATA_TYPE, NR, NQ, NP);
    POLYBENCH_1D_ARRAY_DECL(sum, DATA_TYPE, NP);
    POLYBENCH_2D_ARRAY_DECL(C4, DATA_TYPE, NP, NP);

    init_array(nr, nq, np, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(C4));
    polybench_start_instruments;
    kernel_doitgen(nr, nq, np, POLYBENCH_ARRAY(A), POLYBENCH_ARRAY(C4), POLYBENCH_ARRAY(sum));
    polybench_stop_instruments;
    polybench_print_instruments;
    polybench_prevent_dce(print_array(nr, nq, np, POLYBENCH_ARRAY(A)));

    POLYBENCH_FREE_ARRAY(A);
    POLYBENCH_FREE_ARRAY(sum);
    POLYBENCH_FREE_ARRAY(C4);
    return 0;
}
