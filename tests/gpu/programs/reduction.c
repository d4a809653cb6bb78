/* reduction: four ways to make one number of many.

   Parallel: i (a level of the tree: the halves are disjoint). Serial: dot and peak (registers),
   memory (one element: flow, output), level (the sums of the level before: flow, output). */
#include <stdio.h>

#ifndef N
#define N 4096
#endif

typedef float number;

static number a[N], b[N];
static number total[1];

struct answers {
    float dot, peak;
};

static struct answers reduce(const number *a, const number *b)
{
    float dot = 0.0f;
    float peak = a[0];

    for (int i = 0; i < N; i++) /* @dot */
        dot += a[i] * b[i];
    for (int i = 1; i < N; i++) /* @peak */
        if (a[i] > peak)
            peak = a[i];
    return (struct answers){dot, peak};
}

static void reduce_in_memory(const number *a, number *total)
{
    total[0] = 0.0f;
    for (int i = 0; i < N; i++) /* @memory */
        total[0] += a[i];
}

static void reduce_as_tree(number *a)
{
    for (int half = N / 2; half > 0; half /= 2) /* @level */
        for (int i = 0; i < half; i++) /* @i */
            a[i] += a[i + half];
}

int main(void)
{
    for (int i = 0; i < N; i++) {
        a[i] = (float)(i % 23) / 8.0f;
        b[i] = (float)(i % 3) - 1.0f;
    }
    const struct answers found = reduce(a, b);
    reduce_in_memory(a, total);
    reduce_as_tree(a);
    printf("%.2f %.2f %.2f %.2f\n", (double)found.dot, (double)found.peak, (double)total[0],
           (double)a[0]);
    return 0;
}
