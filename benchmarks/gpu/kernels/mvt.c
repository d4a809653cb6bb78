/* x += A y, z += A^T w. */
#ifndef N
#define N 512
#endif

static float a_[N * N], y_[N], w_[N], x_[N], z_[N];

static void kernel(float *a, float *y, float *w, float *x, float *z)
{
#pragma logca offload
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            x[i] += a[i * N + j] * y[j];
    }
#pragma logca offload
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            z[i] += a[j * N + i] * w[j];
    }
}

int main(int argc, char **argv)
{
    a_[argc] = y_[argc] = w_[argc] = x_[argc] = z_[argc] = argc;
    kernel(a_, y_, w_, x_, z_);
    return z_[argc] > 1;
}
