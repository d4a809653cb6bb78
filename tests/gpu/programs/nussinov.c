/* nussinov: the folding of an RNA sequence with most base pairs.

   Parallel: none. i needs the rows below, which were computed before (flow), j what it wrote left
   of it (flow), k renews one element (flow, output). */
#define DATA_TYPE int
#define DATA_PRINTF_MODIFIER "%d "
#include "polybench.h"

#ifndef N
#define N 50
#endif

#define _PB_N POLYBENCH_LOOP_BOUND(N, n)

typedef char base;

#define match(b1, b2) ((b1) + (b2) == 3 ? 1 : 0)
#define max_score(s1, s2) ((s1) >= (s2) ? (s1) : (s2))

static void init_array(int n, base POLYBENCH_1D(seq, N), DATA_TYPE POLYBENCH_2D(table, N, N))
{
    int i, j;

    for (i = 0; i < n; i++)
        seq[i] = (base)((i * i + 1) % 4);
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            table[i][j] = 0;
}

static void print_array(int n, DATA_TYPE POLYBENCH_2D(table, N, N))
{
    int i, j;

    for (i = 0; i < n; i++) {
        for (j = i; j < n; j++)
            fprintf(stderr, DATA_PRINTF_MODIFIER, table[i][j]);
        fprintf(stderr, "\n");
    }
}

static void kernel_nussinov(int n, base POLYBENCH_1D(seq, N), DATA_TYPE POLYBENCH_2D(table, N, N))
{
    int i, j, k;

    for (i = _PB_N - 1; i >= 0; i--) { /* @i */
        for (j = i + 1; j < _PB_N; j++) { /* @j */
            if (j - 1 >= 0)
                table[i][j] = max_score(table[i][j], table[i][j - 1]);
            if (i + 1 < _PB_N)
                table[i][j] = max_score(table[i][j], table[i + 1][j]);
            if (j - 1 >= 0 && i + 1 < _PB_N) {
                if (i < j - 1)
                    table[i][j] = max_score(table[i][j],
                                            table[i + 1][j - 1] + match(seq[i], seq[j]));
                else
                    table[i][j] = max_score(table[i][j], table[i + 1][j - 1]);
            }
            for (k = i + 1; k < j; k++) { /* @k */
                table[i][j] = max_score(table[i][j], table[i][k] + table[k + 1][j]);
            }
        }
    }
}

int main(int argc, char **argv)
{
    int n = N;

    (void)argc, (void)argv;
    POLYBENCH_1D_ARRAY_DECL(seq, base, N);
    POLYBENCH_2D_ARRAY_DECL(table, DATA_TYPE, N, N);

    init_array(n, POLYBENCH_ARRAY(seq), POLYBENCH_ARRAY(table));
    polybench_start_instruments;
    kernel_nussinov(n, POLYBENCH_ARRAY(seq), POLYBENCH_ARRAY(table));
    polybench_stop_instruments;
    polybench_print_instruments;
    polybench_prevent_dce(print_array(n, POLYBENCH_ARRAY(table)));

    POLYBENCH_FREE_ARRAY(seq);
    POLYBENCH_FREE_ARRAY(table);
    return 0;
}
