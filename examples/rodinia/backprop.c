/* One step of training a network of one hidden layer by back-propagation.

   After Rumelhart, Hinton and Williams (Nature 323, 1986). */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 1024 /* inputs */
#endif
#define HIDDEN 16
#define OUTPUTS 1
#define ETA 0.3f
#define MOMENTUM 0.3f

static float squash(float x)
{
    return 1 / (1 + expf(-x));
}

static void forward(float *l1, float *l2, float **weights, int n1, int n2)
{
    float sum;
    int j, k;
    l1[0] = 1;
#pragma omp parallel for shared(weights, n1, n2, l1) private(k, j) reduction(+ : sum) \
    schedule(static)
    for (j = 1; j <= n2; j++) {
        sum = 0;
        for (k = 0; k <= n1; k++)
            sum += weights[k][j] * l1[k];
        l2[j] = squash(sum);
    }
}

static void output_error(float *delta, float *target, float *output, int n)
{
    for (int j = 1; j <= n; j++)
        delta[j] = output[j] * (1 - output[j]) * (target[j] - output[j]);
}

static void hidden_error(float *delta, int n1, float *behind, int n2, float **weights, float *own)
{
    for (int j = 1; j <= n1; j++) {
        float sum = 0;
        for (int k = 1; k <= n2; k++)
            sum += behind[k] * weights[j][k];
        delta[j] = own[j] * (1 - own[j]) * sum;
    }
}

static void adjust(float *delta, int n2, float *l1, int n1, float **weights, float **before)
{
    float change;
    int k, j;
    l1[0] = 1;
#pragma omp parallel for shared(before, weights, delta) private(j, k, change) \
    firstprivate(n2, n1)
    for (j = 1; j <= n2; j++) {
        for (k = 0; k <= n1; k++) {
            change = ETA * delta[j] * l1[k] + MOMENTUM * before[k][j];
            weights[k][j] += change;
            before[k][j] = change;
        }
    }
}

static float **matrix(int rows, int columns, float scale)
{
    float **rows_of = malloc((rows + 1) * sizeof(float *));
    for (int i = 0; i <= rows; i++) {
        rows_of[i] = malloc((columns + 1) * sizeof(float));
        for (int j = 0; j <= columns; j++)
            rows_of[i][j] = scale * ((i * 5 + j * 3) % 17 - 8);
    }
    return rows_of;
}

int main(void)
{
    static float input[N + 1], hidden[HIDDEN + 1], output[OUTPUTS + 1], target[OUTPUTS + 1];
    static float hidden_delta[HIDDEN + 1], output_delta[OUTPUTS + 1];
    float **to_hidden = matrix(N, HIDDEN, 0.002f), **to_output = matrix(HIDDEN, OUTPUTS, 0.1f);
    float **before_hidden = matrix(N, HIDDEN, 0), **before_output = matrix(HIDDEN, OUTPUTS, 0);
    for (int i = 1; i <= N; i++)
        input[i] = i * 7 % 13 / 13.0f;
    target[1] = 0.1f;
    omp_set_num_threads(4);
    forward(input, hidden, to_hidden, N, HIDDEN);
    forward(hidden, output, to_output, HIDDEN, OUTPUTS);
    output_error(output_delta, target, output, OUTPUTS);
    hidden_error(hidden_delta, HIDDEN, output_delta, OUTPUTS, to_output, hidden);
    adjust(output_delta, OUTPUTS, hidden, HIDDEN, to_output, before_output);
    adjust(hidden_delta, HIDDEN, input, N, to_hidden, before_hidden);
    double sum = 0;
    for (int i = 0; i <= N; i++)
        for (int j = 1; j <= HIDDEN; j++)
            sum += to_hidden[i][j] * ((i + j) % 3);
    printf("%.5e %.5e\n", output[1], sum);
    return 0;
}
