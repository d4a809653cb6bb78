/* A star of 4 RADIUS + 1 points in each of STEPS steps, between two buffers that are swapped. */
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 64
#endif
#ifndef RADIUS
#define RADIUS 1
#endif
#ifndef STEPS
#define STEPS 4
#endif

int main(void)
{
    float *now = malloc(sizeof(float) * N * N), *next = malloc(sizeof(float) * N * N);
    for (long i = 0; i < N * N; i++)
        now[i] = next[i] = i % 7;
    for (int step = 0; step < STEPS; step++) {
#pragma logca offload collapse(2)
        for (long i = RADIUS; i < N - RADIUS; i++)
            for (long j = RADIUS; j < N - RADIUS; j++) {
                float sum = now[i * N + j], weight = 0.5f;
                for (int r = 1; r <= RADIUS; r++) {
                    sum += weight * (now[(i - r) * N + j] + now[(i + r) * N + j]);
                    sum += weight * (now[i * N + j - r] + now[i * N + j + r]);
                    weight *= 0.5f;
                }
                next[i * N + j] = 0.2f * sum;
            }
        float *other = now;
        now = next;
        next = other;
    }
    printf("%g\n", now[N * N / 2]);
}
