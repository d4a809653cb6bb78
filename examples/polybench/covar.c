/* COVAR: covariance matrix of the columns of data. Three launches: means, centring (the only
   two-dimensional one), and the matrix, one thread for each row j1 of its upper triangle.
   x = j, j, j1: data coalesced, symmat uncoalesced. */
#include "common.h"

#ifndef N
#define N 128
#endif
#pragma logca work(N=1024)

static DATA_TYPE data[N][N], mean[N], symmat[N][N];

void kernel_covar(DATA_TYPE data[N][N], DATA_TYPE mean[N], DATA_TYPE symmat[N][N])
{
#pragma logca offload
    for (int j = 0; j < N; j++) {
        DATA_TYPE sum = 0;
        for (int i = 0; i < N; i++)
            sum += data[i][j];
        mean[j] = sum / N;
    }

#pragma logca offload collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            data[i][j] -= mean[j];

#pragma logca offload
    for (int j1 = 0; j1 < N; j1++)
        for (int j2 = j1; j2 < N; j2++) {
            symmat[j1][j2] = 0;
            for (int i = 0; i < N; i++)
                symmat[j1][j2] += data[i][j1] * data[i][j2];
            symmat[j1][j2] /= N - 1;
            symmat[j2][j1] = symmat[j1][j2];
        }
}

int main(void)
{
    fill(1, &data[0][0], N, N);
    input("data", &data[0][0], (size_t)N * N);
    kernel_covar(data, mean, symmat);
    result("symmat", &symmat[0][0], (size_t)N * N);
    return 0;
}
