/* A stencil of five points and a copy back; two launches for each step. */
#ifndef N
#define N 250
#endif
#ifndef STEPS
#define STEPS 2
#endif

static float a_[N * N], b_[N * N];

static void kernel(float *a, float *b)
{
    for (int t = 0; t < STEPS; t++) {
#pragma logca offload collapse(2)
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                b[i * N + j] = 0.2f * (a[i * N + j] + a[i * N + j - 1] + a[i * N + j + 1]
                                       + a[(i + 1) * N + j] + a[(i - 1) * N + j]);
#pragma logca offload collapse(2)
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                a[i * N + j] = b[i * N + j];
    }
}

int main(int argc, char **argv)
{
    a_[argc] = b_[argc] = argc;
    kernel(a_, b_);
    return b_[argc] > 1;
}
