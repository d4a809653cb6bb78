/* heat-pointers: heat equation on a plate; rows are allocated one by one, and the two plates change
   places after each step.

   Parallel: i and j (next is written, now is read). Serial: t, by the exchanged pointers (register)
   and by the plates themselves: what is written as next is read as now one step later (flow), was
   read as now one step before (anti) and written two steps before (output). */
#include <stdio.h>
#include <stdlib.h>

#ifndef ROWS
#define ROWS 40
#endif
#ifndef COLUMNS
#define COLUMNS 64
#endif
#ifndef STEPS
#define STEPS 6
#endif

static double **new_plate(int rows, int columns)
{
    double **plate = malloc(rows * sizeof *plate);
    if (!plate)
        exit(1);
    for (int i = 0; i < rows; i++) {
        plate[i] = calloc(columns, sizeof **plate);
        if (!plate[i])
            exit(1);
        plate[i][0] = 100.0;
        plate[i][columns - 1] = 25.0;
    }
    return plate;
}

static void free_plate(double **plate, int rows)
{
    for (int i = 0; i < rows; i++)
        free(plate[i]);
    free(plate);
}

static double **diffuse(double **now, double **next, int rows, int columns, int steps)
{
    for (int t = 0; t < steps; t++) { /* @t */
        for (int i = 1; i < rows - 1; i++) /* @i */
            for (int j = 1; j < columns - 1; j++) /* @j */
                next[i][j] = now[i][j]
                           + 0.2 * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]
                                    - 4 * now[i][j]);
        double **swap = now;
        now = next;
        next = swap;
    }
    return now;
}

int main(void)
{
    double **first = new_plate(ROWS, COLUMNS);
    double **second = new_plate(ROWS, COLUMNS);
    double **last = diffuse(first, second, ROWS, COLUMNS, STEPS);

    for (int j = 0; j < COLUMNS; j += 7)
        printf("%.6f\n", (double)last[ROWS / 2][j]);
    free_plate(first, ROWS);
    free_plate(second, ROWS);
    return 0;
}
