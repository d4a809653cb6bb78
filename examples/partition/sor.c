/* Successive over-relaxation (Young 1950) for Laplace's equation on a square grid.

   Each sweep goes through the N - 2 by N - 2 inner points row by row and moves each by OMEGA times
   its distance from the mean of its four neighbours, those before it being new already: the kernel
   named SOR in SciMark. The edges are fixed.

   main makes a grid of reproducible noise with smooth edges, sweeps SWEEPS times, and prints a
   checksum (-DPRINT_RESULTS: the grid before and after) and how far the last sweep moved a point at
   most. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 128
#endif
#ifndef SWEEPS
#define SWEEPS 20
#endif
#ifndef OMEGA
#define OMEGA 1.25
#endif
#if N < 3
#error "N must be at least 3"
#endif

static double grid[N][N], before[N][N];

static void sweep(double omega)
{
    double neighbours = omega / 4, own = 1 - omega;
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            grid[i][j] = neighbours * (grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] +
                                       grid[i][j + 1]) +
                         own * grid[i][j];
}

static void fill(void)
{
    uint32_t state = 1;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            state = state * 1664525u + 1013904223u;
            int edge = i == 0 || j == 0 || i == N - 1 || j == N - 1;
            grid[i][j] = edge ? (double)(i * i - j) / (N * N) : (state >> 16) / 65536.0;
        }
}

static void print(const char *name)
{
#ifdef PRINT_RESULTS
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            printf("%s %.17g\n", name, grid[i][j]);
#else
    (void)name;
#endif
}

int main(void)
{
    fill();
    print("input");
    for (int k = 0; k < SWEEPS; k++) {
        if (k == SWEEPS - 1)
            for (int i = 0; i < N; i++)
                for (int j = 0; j < N; j++)
                    before[i][j] = grid[i][j];
        sweep(OMEGA);
    }
    print("result");
    double checksum = 0, moved = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            checksum += grid[i][j] * (1 + (i + j) % 7);
            moved = fmax(moved, fabs(grid[i][j] - before[i][j]));
        }
    printf("checksum %.9g\nmoved %.3e\n", checksum, moved);
    return 0;
}
