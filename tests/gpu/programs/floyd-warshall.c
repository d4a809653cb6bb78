/* floyd-warshall: lengths of the shortest paths between all nodes, in place.

   Parallel: none, by addresses. Every element is written in every step, row k and column k too,
   which all others read: i and j carry flow and anti, k flow, anti and output. (The values of that
   row and column do not change; whoever knows that may run i and j in parallel.) */
#define DATA_TYPE int
#define DATA_PRINTF_MODIFIER "%d "
#include "polybench.h"

#ifndef N
#define N 40
#endif

#define _PB_N POLYBENCH_LOOP_BOUND(N, n)

static void init_array(int n, DATA_TYPE POLYBENCH_2D(path, N, N))
{
    int i, j;

    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            path[i][j] = i == j ? 0 : i * j % 7 + 1;
            if ((i + j) % 13 == 0 || (i + j) % 7 == 0 || (i + j) % 11 == 0)
                path[i][j] = i == j ? 0 : 999;
        }
}

static void print_array(int n, DATA_TYPE POLYBENCH_2D(path, N, N))
{
    int i, j;

    for (i = 0; i < n; i++) {
        for (j = 0; j < n; j++)
            fprintf(stderr, DATA_PRINTF_MODIFIER, (int)path[i][j]);
        fprintf(stderr, "\n");
    }
}

static void kernel_floyd_warshall(int n, DATA_TYPE POLYBENCH_2D(path, N, N))
{
    int i, j, k;

    for (k = 0; k < _PB_N; k++) { /* @k */
        for (i = 0; i < _PB_N; i++) /* @i */
            for (j = 0; j < _PB_N; j++) /* @j */
                path[i][j] = path[i][j] < path[i][k] + path[k][j] ? path[i][j]
                                                                  : path[i][k] + path[k][j];
    }
}

int main(int argc, char **argv)
{
    int n = N;

    (void)argc, (void)argv;
    POLYBENCH_2D_ARRAY_DECL(path, DATA_TYPE, N, N);

    init_array(n, POLYBENCH_ARRAY(path));
    polybench_start_instruments;
    kernel_floyd_warshall(n, POLYBENCH_ARRAY(path));
    polybench_stop_instruments;
    polybench_print_instruments;
    polybench_prevent_dce(print_array(n, POLYBENCH_ARRAY(path)));

    POLYBENCH_FREE_ARRAY(path);
    return 0;
}
