/* FLOYD-WARSHALL: shortest paths between all pairs, one more place to pass in each launch (x = j).
   Row and column k are read by all, and written with what they hold already. How often a shorter way
   is found depends on the data, so that the work size is one that can be counted. */
#include "common.h"

#ifndef N
#define N 64
#endif
#pragma logca work(N=512)

static DATA_TYPE path[N][N];

void kernel_floyd_warshall(DATA_TYPE path[N][N])
{
    for (int k = 0; k < N; k++)
#pragma logca offload collapse(2)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                const DATA_TYPE by = path[i][k] + path[k][j];
                path[i][j] = path[i][j] < by ? path[i][j] : by;
            }
}

int main(void)
{
    fill(1, &path[0][0], N, N);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            path[i][j] = i == j ? 0 : path[i][j] + (DATA_TYPE)0.5;
    input("path", &path[0][0], (size_t)N * N);
    kernel_floyd_warshall(path);
    result("path", &path[0][0], (size_t)N * N);
    return 0;
}
