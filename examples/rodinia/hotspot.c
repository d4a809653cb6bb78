/* Heat on a chip: power heats cells, neighbours and the air cool them, in explicit steps of time.

   After the model of Huang et al. (HotSpot, IEEE Transactions on VLSI Systems 14, 2006), on a grid
   of ROWS x COLUMNS cells. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 64
#endif
#define ROWS N
#define COLUMNS N
#define STEPS 4

#define CAPACITY 0.5f
#define ACROSS 0.1f /* conductance between cells */
#define UP 0.02f    /* and to the air */
#define AIR 80.0f

static void step(float *next, const float *now, const float *power, int rows, int columns)
{
    int r, c;
#pragma omp parallel for shared(next, now, power) private(r, c) \
    firstprivate(rows, columns) schedule(static)
    for (r = 0; r < rows; r++) {
#pragma omp simd
        for (c = 0; c < columns; c++) {
            int here = r * columns + c;
            float north = now[r > 0 ? here - columns : here];
            float south = now[r < rows - 1 ? here + columns : here];
            float west = now[c > 0 ? here - 1 : here];
            float east = now[c < columns - 1 ? here + 1 : here];
            float t = now[here];
            next[here] = t + CAPACITY * (power[here] + ACROSS * (north + south - 2 * t) +
                                         ACROSS * (east + west - 2 * t) + UP * (AIR - t));
        }
    }
}

int main(void)
{
    int cells = ROWS * COLUMNS;
    float *now = malloc(cells * sizeof(float)), *next = malloc(cells * sizeof(float));
    float *power = malloc(cells * sizeof(float));
    for (int i = 0; i < cells; i++) {
        now[i] = 80 + i % 7;
        power[i] = 0.1f * (i * 37 % 11);
    }
    omp_set_num_threads(4);
    double start = omp_get_wtime();
    for (int t = 0; t < STEPS; t++) {
        step(next, now, power, ROWS, COLUMNS);
        float *other = now;
        now = next;
        next = other;
    }
    double seconds = omp_get_wtime() - start;
    double sum = 0;
    for (int i = 0; i < cells; i++)
        sum += now[i];
    printf("%.6e\n", sum);
    fprintf(stderr, "%g s on %d threads\n", seconds, omp_get_max_threads());
    free(now);
    free(next);
    free(power);
    return 0;
}
