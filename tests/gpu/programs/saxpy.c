/* saxpy: y = a x + y.

   Parallel: i. */
#include <stdio.h>
#include <stdlib.h>

static void saxpy(size_t n, float a, const float *restrict x, float *restrict y)
{
    for (size_t i = 0; i < n; ++i) /* @i */
        y[i] = a * x[i] + y[i];
}

int main(int argc, char *argv[])
{
    size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 10000;
    float *x = malloc(n * sizeof(float));
    float *y = malloc(n * sizeof(float));
    double sum = 0;

    if (x == NULL || y == NULL) {
        perror("malloc");
        return EXIT_FAILURE;
    }
    for (size_t i = 0; i < n; ++i) {
        x[i] = (float)(i % 17);
        y[i] = (float)(i % 5);
    }
    saxpy(n, 2.5f, x, y);
    for (size_t i = 0; i < n; ++i)
        sum += y[i];
    printf("%.1f\n", sum);
    free(x);
    free(y);
    return EXIT_SUCCESS;
}
