/* NUSSINOV: how a strand of RNA folds, by dynamic programming over all of its pieces. As it is written
   every loop needs what its iterations before have left; only pieces of one length do not depend on
   each other. */
#include "common.h"

#ifndef N
#define N 64
#endif
#pragma logca work(N=1024)

static DATA_TYPE bases[N], table[N][N];

static DATA_TYPE larger(DATA_TYPE a, DATA_TYPE b)
{
    return a > b ? a : b;
}

void kernel_nussinov(DATA_TYPE bases[N], DATA_TYPE table[N][N])
{
    for (int i = N - 2; i >= 0; i--)
        for (int j = i + 1; j < N; j++) {
            table[i][j] = larger(table[i][j - 1], table[i + 1][j]);
            if (i < j - 1)
                table[i][j] = larger(table[i][j],
                                     table[i + 1][j - 1] + (bases[i] + bases[j] == 3 ? 1 : 0));
            for (int k = i + 1; k < j; k++)
                table[i][j] = larger(table[i][j], table[i][k] + table[k + 1][j]);
        }
}

int main(void)
{
    for (unsigned i = 0; i < N; i++)
        bases[i] = (DATA_TYPE)((int)(4 * (sample(1, i, 0) + (DATA_TYPE)0.5)));
    input("bases", bases, N);
    kernel_nussinov(bases, table);
    result("table", &table[0][0], (size_t)N * N);
    return 0;
}
