/* CORR: correlation matrix of the columns of data. Four launches: means, standard deviations,
   normalisation (the only two-dimensional one), and the matrix, one thread for each row j1 of its
   upper triangle. x = j, j, j, j1: data coalesced, symmat uncoalesced. */
#include <math.h>

#include "common.h"

#ifndef N
#define N 128
#endif
#pragma logca work(N=1024)

static DATA_TYPE data[N][N], mean[N], stddev[N], symmat[N][N];

void kernel_corr(DATA_TYPE data[N][N], DATA_TYPE mean[N], DATA_TYPE stddev[N],
                 DATA_TYPE symmat[N][N])
{
    const DATA_TYPE smallest = (DATA_TYPE)0.005;
    const DATA_TYPE root = (DATA_TYPE)sqrt((double)N);

#pragma logca offload
    for (int j = 0; j < N; j++) {
        DATA_TYPE sum = 0;
        for (int i = 0; i < N; i++)
            sum += data[i][j];
        mean[j] = sum / N;
    }

#pragma logca offload
    for (int j = 0; j < N; j++) {
        const DATA_TYPE middle = mean[j];
        DATA_TYPE sum = 0;
        for (int i = 0; i < N; i++) {
            const DATA_TYPE distance = data[i][j] - middle;
            sum += distance * distance;
        }
        const DATA_TYPE deviation = (DATA_TYPE)sqrt((double)(sum / N));
        stddev[j] = deviation <= smallest ? 1 : deviation;
    }

#pragma logca offload collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            data[i][j] = (data[i][j] - mean[j]) / (root * stddev[j]);

#pragma logca offload
    for (int j1 = 0; j1 < N; j1++) {
        symmat[j1][j1] = 1;
        for (int j2 = j1 + 1; j2 < N; j2++) {
            symmat[j1][j2] = 0;
            for (int i = 0; i < N; i++)
                symmat[j1][j2] += data[i][j1] * data[i][j2];
            symmat[j2][j1] = symmat[j1][j2];
        }
    }
}

int main(void)
{
    fill(1, &data[0][0], N, N);
    input("data", &data[0][0], (size_t)N * N);
    kernel_corr(data, mean, stddev, symmat);
    result("symmat", &symmat[0][0], (size_t)N * N);
    return 0;
}
