/* Alignment of two sequences after Needleman and Wunsch (Journal of Molecular Biology 48, 1970):
   blocks of B x B scores, those of an antidiagonal side by side. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 128
#endif
#define B 16
#define PENALTY 10
#define SIDE (N + 1)

static int largest(int a, int b, int c)
{
    int k = a <= b ? b : a;
    return k <= c ? c : k;
}

static void block(int *scores, const int *likeness, int row, int column)
{
    int own[(B + 1) * (B + 1)], alike[B * B];
    for (int i = 0; i < B; i++) {
#pragma omp simd
        for (int j = 0; j < B; j++)
            alike[i * B + j] = likeness[(row + i + 1) * SIDE + column + j + 1];
    }
    for (int i = 0; i < B + 1; i++) {
#pragma omp simd
        for (int j = 0; j < B + 1; j++)
            own[i * (B + 1) + j] = scores[(row + i) * SIDE + column + j];
    }
    for (int i = 1; i < B + 1; i++)
        for (int j = 1; j < B + 1; j++)
            own[i * (B + 1) + j] =
                largest(own[(i - 1) * (B + 1) + j - 1] + alike[(i - 1) * B + j - 1],
                        own[i * (B + 1) + j - 1] - PENALTY, own[(i - 1) * (B + 1) + j] - PENALTY);
    for (int i = 0; i < B; i++) {
#pragma omp simd
        for (int j = 0; j < B; j++)
            scores[(row + i + 1) * SIDE + column + j + 1] = own[(i + 1) * (B + 1) + j + 1];
    }
}

int main(void)
{
    int *scores = calloc(SIDE * SIDE, sizeof(int)), *likeness = malloc(SIDE * SIDE * sizeof(int));
    int *one = malloc(SIDE * sizeof(int)), *other = malloc(SIDE * sizeof(int));
    for (int i = 1; i < SIDE; i++) {
        one[i] = i * 7 % 11;
        other[i] = i * 5 % 13;
        scores[i * SIDE] = scores[i] = -i * PENALTY;
    }
    for (int i = 1; i < SIDE; i++)
        for (int j = 1; j < SIDE; j++)
            likeness[i * SIDE + j] = one[i] == other[j] ? 5 : (one[i] + other[j]) % 4 - 3;
    omp_set_num_threads(4);
    for (int diagonal = 0; diagonal < N / B; diagonal++) {
#pragma omp parallel for schedule(static) shared(scores, likeness) firstprivate(diagonal)
        for (int b = 0; b <= diagonal; b++)
            block(scores, likeness, B * (diagonal - b), B * b);
    }
    for (int diagonal = N / B - 2; diagonal >= 0; diagonal--) {
#pragma omp parallel for schedule(static) shared(scores, likeness) firstprivate(diagonal)
        for (int b = 0; b <= diagonal; b++)
            block(scores, likeness, N - B * (b + 1), N - B * (diagonal - b + 1));
    }
    printf("%d\n", scores[SIDE * SIDE - 1]);
    return 0;
}
