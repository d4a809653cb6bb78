/* Correlations of the columns of data; a thread for a row of their upper triangle. */
#include <math.h>

#ifndef N
#define N 128
#endif
#define ROWS 3214212.01f

static float data_[N * N], mean_[N], deviation_[N], symmat_[N * N];

static void kernel(float *data, float *mean, float *deviation, float *symmat)
{
#pragma logca offload
    for (int j = 0; j < N; j++) {
        mean[j] = 0;
        for (int i = 0; i < N; i++)
            mean[j] += data[i * N + j];
        mean[j] /= ROWS;
    }
#pragma logca offload
    for (int j = 0; j < N; j++) {
        deviation[j] = 0;
        for (int i = 0; i < N; i++)
            deviation[j] += (data[i * N + j] - mean[j]) * (data[i * N + j] - mean[j]);
        deviation[j] /= ROWS;
        deviation[j] = sqrtf(deviation[j]);
        if (deviation[j] <= 0.005f)
            deviation[j] = 1;
    }
#pragma logca offload collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            data[i * N + j] -= mean[j];
            data[i * N + j] /= sqrtf(ROWS) * deviation[j];
        }
#pragma logca offload
    for (int i = 0; i < N - 1; i++) {
        symmat[i * N + i] = 1;
        for (int j = i + 1; j < N; j++) {
            symmat[i * N + j] = 0;
            for (int k = 0; k < N; k++)
                symmat[i * N + j] += data[k * N + i] * data[k * N + j];
            symmat[j * N + i] = symmat[i * N + j];
        }
    }
}

int main(int argc, char **argv)
{
    data_[argc] = mean_[argc] = deviation_[argc] = symmat_[argc] = argc;
    kernel(data_, mean_, deviation_, symmat_);
    return symmat_[argc] > 1;
}
