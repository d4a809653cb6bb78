/* spmv: y = A x with A in compressed rows.

   Parallel: i. Serial: k, which sums in a register; rows differ in length, x is read indirectly. */
#include <stdio.h>
#include <stdlib.h>

#define ROWS 600
#define MAX_PER_ROW 12

struct csr {
    int rows;
    int *start;
    int *column;
    float *value;
};

static struct csr build(int rows)
{
    struct csr a;
    int filled = 0;

    a.rows = rows;
    a.start = malloc((rows + 1) * sizeof *a.start);
    a.column = malloc((size_t)rows * MAX_PER_ROW * sizeof *a.column);
    a.value = malloc((size_t)rows * MAX_PER_ROW * sizeof *a.value);
    if (!a.start || !a.column || !a.value)
        exit(1);
    for (int i = 0; i < rows; i++) {
        a.start[i] = filled;
        for (int k = 0; k < 1 + i * 7 % MAX_PER_ROW; k++) {
            a.column[filled] = (i * 31 + k * k * 17) % rows;
            a.value[filled++] = 1.0f / (float)(1 + k);
        }
    }
    a.start[rows] = filled;
    return a;
}

static void spmv(const struct csr *a, const float *x, float *y)
{
    for (int i = 0; i < a->rows; i++) { /* @i */
        float sum = 0.0f;
        for (int k = a->start[i]; k < a->start[i + 1]; k++) /* @k */
            sum += a->value[k] * x[a->column[k]];
        y[i] = sum;
    }
}

int main(void)
{
    struct csr a = build(ROWS);
    float x[ROWS], y[ROWS];
    double total = 0;

    for (int i = 0; i < ROWS; i++)
        x[i] = (float)(i % 10) - 4.5f;
    spmv(&a, x, y);
    for (int i = 0; i < ROWS; i++)
        total += y[i] * (i % 3);
    printf("%.4f\n", total);
    free(a.start);
    free(a.column);
    free(a.value);
    return 0;
}
