/* Finite differences in time; three launches for each step. */
#ifndef N
#define N 128
#endif
#ifndef STEPS
#define STEPS 4
#endif

static float f_[STEPS], ex_[N * N], ey_[N * N], hz_[N * N];

static void kernel(float *f, float *ex, float *ey, float *hz)
{
    for (int t = 0; t < STEPS; t++) {
#pragma logca offload collapse(2)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                if (i == 0)
                    ey[i * N + j] = f[t];
                else
                    ey[i * N + j] -= 0.5f * (hz[i * N + j] - hz[(i - 1) * N + j]);
#pragma logca offload collapse(2)
        for (int i = 0; i < N; i++)
            for (int j = 1; j < N; j++)
                ex[i * N + j] -= 0.5f * (hz[i * N + j] - hz[i * N + j - 1]);
#pragma logca offload collapse(2)
        for (int i = 0; i < N - 1; i++)
            for (int j = 0; j < N - 1; j++)
                hz[i * N + j] -= 0.7f * (ex[i * N + j + 1] - ex[i * N + j] + ey[(i + 1) * N + j]
                                         - ey[i * N + j]);
    }
}

int main(int argc, char **argv)
{
    f_[argc] = ex_[argc] = ey_[argc] = hz_[argc] = argc;
    kernel(f_, ex_, ey_, hz_);
    return hz_[argc] > 1;
}
