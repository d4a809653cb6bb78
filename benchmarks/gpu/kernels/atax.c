/* y = A^T (A x). */
#ifndef N
#define N 512
#endif

static float a_[N * N], x_[N], t_[N], y_[N];

static void kernel(float *a, float *x, float *t, float *y)
{
#pragma logca offload
    for (int i = 0; i < N; i++) {
        t[i] = 0;
        for (int j = 0; j < N; j++)
            t[i] += a[i * N + j] * x[j];
    }
#pragma logca offload
    for (int i = 0; i < N; i++) {
        y[i] = 0;
        for (int j = 0; j < N; j++)
            y[i] += a[j * N + i] * t[j];
    }
}

int main(int argc, char **argv)
{
    a_[argc] = x_[argc] = t_[argc] = y_[argc] = argc;
    kernel(a_, x_, t_, y_);
    return y_[argc] > 1;
}
