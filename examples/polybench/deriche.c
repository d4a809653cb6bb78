/* DERICHE: recursive smoothing of an image, along its rows and then along its columns; forward and
   backward passes are added. One function for each loop nest; DERICHE1 of Table 7 is combine. */
#include <math.h>

#include "common.h"

#ifndef N
#define N 1024
#endif
#pragma logca work(N=1024)

static DATA_TYPE image[N][N], forward[N][N], backward[N][N], smooth[N][N];

/* The filter's weights; its impulse response is near (1 + alpha |n|) exp(-alpha |n|). */
struct weights {
    DATA_TYPE a1, a2, a3, a4, b1, b2;
};

/* x = i: one thread runs along a row, uncoalesced. */
void rows_forward(struct weights f, DATA_TYPE from[N][N], DATA_TYPE to[N][N])
{
#pragma logca offload
    for (int i = 0; i < N; i++) {
        DATA_TYPE x1 = 0, y1 = 0, y2 = 0;
        for (int j = 0; j < N; j++) {
            const DATA_TYPE x0 = from[i][j];
            const DATA_TYPE y0 = f.a1 * x0 + f.a2 * x1 + f.b1 * y1 + f.b2 * y2;
            to[i][j] = y0;
            x1 = x0;
            y2 = y1;
            y1 = y0;
        }
    }
}

void rows_backward(struct weights f, DATA_TYPE from[N][N], DATA_TYPE to[N][N])
{
#pragma logca offload
    for (int i = 0; i < N; i++) {
        DATA_TYPE x1 = 0, x2 = 0, y1 = 0, y2 = 0;
        for (int j = N - 1; j >= 0; j--) {
            const DATA_TYPE y0 = f.a3 * x1 + f.a4 * x2 + f.b1 * y1 + f.b2 * y2;
            to[i][j] = y0;
            x2 = x1;
            x1 = from[i][j];
            y2 = y1;
            y1 = y0;
        }
    }
}

/* x = j: one thread runs down a column, coalesced. */
void columns_forward(struct weights f, DATA_TYPE from[N][N], DATA_TYPE to[N][N])
{
#pragma logca offload
    for (int j = 0; j < N; j++) {
        DATA_TYPE x1 = 0, y1 = 0, y2 = 0;
        for (int i = 0; i < N; i++) {
            const DATA_TYPE x0 = from[i][j];
            const DATA_TYPE y0 = f.a1 * x0 + f.a2 * x1 + f.b1 * y1 + f.b2 * y2;
            to[i][j] = y0;
            x1 = x0;
            y2 = y1;
            y1 = y0;
        }
    }
}

void columns_backward(struct weights f, DATA_TYPE from[N][N], DATA_TYPE to[N][N])
{
#pragma logca offload
    for (int j = 0; j < N; j++) {
        DATA_TYPE x1 = 0, x2 = 0, y1 = 0, y2 = 0;
        for (int i = N - 1; i >= 0; i--) {
            const DATA_TYPE y0 = f.a3 * x1 + f.a4 * x2 + f.b1 * y1 + f.b2 * y2;
            to[i][j] = y0;
            x2 = x1;
            x1 = from[i][j];
            y2 = y1;
            y1 = y0;
        }
    }
}

/* x = j: two coalesced loads and a coalesced store. */
void combine(DATA_TYPE factor, DATA_TYPE forward[N][N], DATA_TYPE backward[N][N],
             DATA_TYPE to[N][N])
{
#pragma logca offload collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            to[i][j] = factor * (forward[i][j] + backward[i][j]);
}

static struct weights weights_of(double alpha)
{
    const double r = exp(-alpha);
    const double k = (1 - r) * (1 - r) / (1 + 2 * alpha * r - r * r);
    return (struct weights){
        .a1 = (DATA_TYPE)k,
        .a2 = (DATA_TYPE)(k * r * (alpha - 1)),
        .a3 = (DATA_TYPE)(k * r * (alpha + 1)),
        .a4 = (DATA_TYPE)(-k * r * r),
        .b1 = (DATA_TYPE)(2 * r),
        .b2 = (DATA_TYPE)(-r * r),
    };
}

int main(void)
{
    const struct weights f = weights_of(0.25);

    fill(1, &image[0][0], N, N);
    input("image", &image[0][0], (size_t)N * N);
    rows_forward(f, image, forward);
    rows_backward(f, image, backward);
    combine(1, forward, backward, smooth);
    columns_forward(f, smooth, forward);
    columns_backward(f, smooth, backward);
    combine(1, forward, backward, smooth);
    result("smooth", &smooth[0][0], (size_t)N * N);
    return 0;
}
