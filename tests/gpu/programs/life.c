/* life: Conway's game on a torus, two generations in one array of bytes.

   Parallel: i and j (the other generation is written). Serial: di and dj count neighbours in a
   register; t reads the generation that the step before wrote (flow) and overwrites the one that it
   read (anti) and that the step before that wrote (output). */
#include <stdio.h>

#ifndef SIDE
#define SIDE 48
#endif
#ifndef STEPS
#define STEPS 4
#endif

typedef unsigned char cell;

static cell world[2][SIDE][SIDE];

static void evolve(int steps)
{
    for (int t = 0; t < steps; t++) { /* @t */
        const int from = t % 2, to = 1 - from;
        for (int i = 0; i < SIDE; i++) { /* @i */
            for (int j = 0; j < SIDE; j++) { /* @j */
                int alive = 0;
                for (int di = -1; di <= 1; di++) /* @di */
                    for (int dj = -1; dj <= 1; dj++) /* @dj */
                        if (di || dj)
                            alive += world[from][(i + di + SIDE) % SIDE][(j + dj + SIDE) % SIDE];
                world[to][i][j] = alive == 3 || (alive == 2 && world[from][i][j]);
            }
        }
    }
}

int main(void)
{
    int population = 0;

    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            world[0][i][j] = (i * i + 3 * j + i * j) % 7 < 3;
    evolve(STEPS);
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            population += world[STEPS % 2][i][j];
    printf("%d\n", population);
    return 0;
}
