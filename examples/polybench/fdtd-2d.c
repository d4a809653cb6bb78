/* FDTD-2D: electric and magnetic field on a plane, TMAX time steps of three launches each.
   x = j: coalesced throughout. */
#include "common.h"

#ifndef N
#define N 64
#endif
#ifndef TMAX
#define TMAX 10
#endif
#pragma logca work(N=4096, TMAX=500)

static DATA_TYPE source[TMAX], ex[N][N], ey[N][N], hz[N][N];

void kernel_fdtd_2d(DATA_TYPE source[TMAX], DATA_TYPE ex[N][N], DATA_TYPE ey[N][N],
                    DATA_TYPE hz[N][N])
{
    const DATA_TYPE half = (DATA_TYPE)0.5, step = (DATA_TYPE)0.7;

    for (int t = 0; t < TMAX; t++) {
#pragma logca offload collapse(2)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                if (i == 0)
                    ey[i][j] = source[t];
                else
                    ey[i][j] = ey[i][j] - half * (hz[i][j] - hz[i - 1][j]);
            }

#pragma logca offload collapse(2)
        for (int i = 0; i < N; i++)
            for (int j = 1; j < N; j++)
                ex[i][j] = ex[i][j] - half * (hz[i][j] - hz[i][j - 1]);

#pragma logca offload collapse(2)
        for (int i = 0; i < N - 1; i++)
            for (int j = 0; j < N - 1; j++)
                hz[i][j] = hz[i][j]
                         - step * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
    }
}

int main(void)
{
    fill(1, source, 1, TMAX);
    fill(2, &ex[0][0], N, N);
    fill(3, &ey[0][0], N, N);
    fill(4, &hz[0][0], N, N);
    input("source", source, TMAX);
    input("ex", &ex[0][0], (size_t)N * N);
    input("ey", &ey[0][0], (size_t)N * N);
    input("hz", &hz[0][0], (size_t)N * N);
    kernel_fdtd_2d(source, ex, ey, hz);
    result("ex", &ex[0][0], (size_t)N * N);
    result("ey", &ey[0][0], (size_t)N * N);
    result("hz", &hz[0][0], (size_t)N * N);
    return 0;
}
