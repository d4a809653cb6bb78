/* Speckle-reducing anisotropic diffusion of an ultrasound image.

   After Yu and Acton (IEEE Transactions on Image Processing 11, 2002). */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 64
#endif
#define STEPS 2
#define LAMBDA 0.5f

int main(void)
{
    int rows = N, columns = N, i, j, k;
    int size = rows * columns;
    float *image = malloc(size * sizeof(float)), *c = malloc(size * sizeof(float));
    float *dN = malloc(size * sizeof(float)), *dS = malloc(size * sizeof(float));
    float *dW = malloc(size * sizeof(float)), *dE = malloc(size * sizeof(float));
    int *north = malloc(rows * sizeof(int)), *south = malloc(rows * sizeof(int));
    int *west = malloc(columns * sizeof(int)), *east = malloc(columns * sizeof(int));
    float here, G2, L, num, den, q, cN, cS, cW, cE;

    for (i = 0; i < rows; i++) {
        north[i] = i > 0 ? i - 1 : 0;
        south[i] = i < rows - 1 ? i + 1 : i;
    }
    for (j = 0; j < columns; j++) {
        west[j] = j > 0 ? j - 1 : 0;
        east[j] = j < columns - 1 ? j + 1 : j;
    }
    for (k = 0; k < size; k++)
        image[k] = expf((k * 31 % 101) / 255.0f);
    omp_set_num_threads(4);
    for (int step = 0; step < STEPS; step++) {
        float sum = 0, squares = 0;
        for (i = 0; i < rows / 2; i++)
            for (j = 0; j < columns / 2; j++) {
                sum += image[i * columns + j];
                squares += image[i * columns + j] * image[i * columns + j];
            }
        float mean = sum / (rows / 2 * (columns / 2));
        float q0 = (squares / (rows / 2 * (columns / 2)) - mean * mean) / (mean * mean);

#pragma omp parallel for shared(image, dN, dS, dW, dE, c, rows, columns, north, south, west, east) \
    private(i, j, k, here, G2, L, num, den, q)
        for (i = 0; i < rows; i++) {
            for (j = 0; j < columns; j++) {
                k = i * columns + j;
                here = image[k];
                dN[k] = image[north[i] * columns + j] - here;
                dS[k] = image[south[i] * columns + j] - here;
                dW[k] = image[i * columns + west[j]] - here;
                dE[k] = image[i * columns + east[j]] - here;
                G2 = (dN[k] * dN[k] + dS[k] * dS[k] + dW[k] * dW[k] + dE[k] * dE[k]) /
                     (here * here);
                L = (dN[k] + dS[k] + dW[k] + dE[k]) / here;
                num = 0.5f * G2 - 1.0f / 16 * (L * L);
                den = 1 + 0.25f * L;
                q = num / (den * den);
                den = (q - q0) / (q0 * (1 + q0));
                c[k] = 1 / (1 + den);
                if (c[k] < 0)
                    c[k] = 0;
                else if (c[k] > 1)
                    c[k] = 1;
            }
        }
#pragma omp parallel for shared(image, c, rows, columns) private(i, j, k, cN, cS, cW, cE)
        for (i = 0; i < rows; i++) {
            for (j = 0; j < columns; j++) {
                k = i * columns + j;
                cN = c[k];
                cS = c[south[i] * columns + j];
                cW = c[k];
                cE = c[i * columns + east[j]];
                image[k] += 0.25f * LAMBDA * (cN * dN[k] + cS * dS[k] + cW * dW[k] + cE * dE[k]);
            }
        }
    }
    double sum = 0;
    for (k = 0; k < size; k++)
        sum += image[k];
    printf("%.5e\n", sum);
    return 0;
}
