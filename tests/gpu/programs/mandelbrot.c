/* mandelbrot: area of the set by counting points; the loops do not touch memory at all.

   Parallel: none as written: row and column count in a register (a sum, which could be reordered).
   Serial: step, the orbit of a point (registers). */
#include <stdio.h>

#ifndef WIDTH
#define WIDTH 90
#endif
#ifndef HEIGHT
#define HEIGHT 60
#endif
#define LIMIT 100

static long count_inside(void)
{
    long inside = 0;

    for (int py = 0; py < HEIGHT; py++) { /* @row */
        for (int px = 0; px < WIDTH; px++) { /* @column */
            const double cr = 3.0 * (px + 0.5) / WIDTH - 2.0;
            const double ci = 2.0 * (py + 0.5) / HEIGHT - 1.0;
            double zr = 0.0, zi = 0.0;
            int n = 0;
            while (n < LIMIT && zr * zr + zi * zi <= 4.0) { /* @step */
                const double t = zr * zr - zi * zi + cr;
                zi = 2.0 * zr * zi + ci;
                zr = t;
                n++;
            }
            if (n == LIMIT)
                inside++;
        }
    }
    return inside;
}

int main(void)
{
    printf("%.4f\n", 6.0 * (double)count_inside() / (WIDTH * HEIGHT));
    return 0;
}
