/* LU decomposition in blocks of B x B: a block on the diagonal, the row and the column of blocks
   beside it, and all blocks behind. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 64
#endif
#define B 16

static void diagonal(float *a, int offset)
{
    for (int i = 0; i < B; i++) {
        for (int j = i; j < B; j++)
            for (int k = 0; k < i; k++)
                a[(offset + i) * N + offset + j] -=
                    a[(offset + i) * N + offset + k] * a[(offset + k) * N + offset + j];
        float pivot = 1.f / a[(offset + i) * N + offset + i];
        for (int j = i + 1; j < B; j++) {
            for (int k = 0; k < i; k++)
                a[(offset + j) * N + offset + i] -=
                    a[(offset + j) * N + offset + k] * a[(offset + k) * N + offset + i];
            a[(offset + j) * N + offset + i] *= pivot;
        }
    }
}

static void decompose(float *a)
{
    int offset, blocks, chunk;
    for (offset = 0; offset < N - B; offset += B) {
        diagonal(a, offset);
        blocks = (N - offset) / B - 1;
        /* the blocks to the right, a column in each step, and those below, a row */
#pragma omp parallel for default(none) private(chunk) shared(a, offset, blocks)
        for (chunk = 0; chunk < blocks * B; chunk++) {
            int at = offset + B + chunk;
            for (int i = 0; i < B; i++) {
                float sum = 0;
                for (int k = 0; k < i; k++)
                    sum += a[(offset + i) * N + offset + k] * a[(offset + k) * N + at];
                a[(offset + i) * N + at] -= sum;
            }
            for (int j = 0; j < B; j++) {
                float sum = 0;
                for (int k = 0; k < j; k++)
                    sum += a[at * N + offset + k] * a[(offset + k) * N + offset + j];
                a[at * N + offset + j] =
                    (a[at * N + offset + j] - sum) / a[(offset + j) * N + offset + j];
            }
        }
#pragma omp parallel for schedule(auto) default(none) private(chunk) shared(a, offset, blocks)
        for (chunk = 0; chunk < blocks * blocks; chunk++) {
            int row = offset + B * (chunk / blocks + 1), column = offset + B * (chunk % blocks + 1);
            float sum[B];
            for (int i = 0; i < B; i++) {
                for (int j = 0; j < B; j++)
                    sum[j] = 0;
                for (int k = 0; k < B; k++) {
                    float left = a[(row + i) * N + offset + k];
#pragma omp simd
                    for (int j = 0; j < B; j++)
                        sum[j] += left * a[(offset + k) * N + column + j];
                }
                for (int j = 0; j < B; j++)
                    a[(row + i) * N + column + j] -= sum[j];
            }
        }
    }
    diagonal(a, offset);
}

int main(void)
{
    float *a = malloc(N * N * sizeof(float)), *given = malloc(N * N * sizeof(float));
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i * N + j] = given[i * N + j] = (i == j ? N : 0) + (float)((i + 2 * j) % 9) / 9;
    omp_set_num_threads(4);
    double start = omp_get_wtime();
    decompose(a);
    fprintf(stderr, "%g s\n", omp_get_wtime() - start);
    double worst = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k <= (i < j ? i : j); k++)
                sum += (k == i ? 1 : a[i * N + k]) * (double)a[k * N + j];
            if (fabs(sum - given[i * N + j]) > worst)
                worst = fabs(sum - given[i * N + j]);
        }
    printf("%s\n", worst < 1e-3 ? "right" : "wrong");
    return worst >= 1e-3;
}
