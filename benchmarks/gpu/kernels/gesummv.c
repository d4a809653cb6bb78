/* y = alpha A x + beta B x. */
#ifndef N
#define N 512
#endif

static float a_[N * N], b_[N * N], x_[N], t_[N], y_[N];

static void kernel(float alpha, float beta, float *a, float *b, float *x, float *t, float *y)
{
#pragma logca offload
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            t[i] += a[i * N + j] * x[j];
            y[i] += b[i * N + j] * x[j];
        }
        y[i] = alpha * t[i] + beta * y[i];
    }
}

int main(int argc, char **argv)
{
    a_[argc] = b_[argc] = x_[argc] = t_[argc] = y_[argc] = argc;
    kernel(1.5f * argc, 1.5f * argc, a_, b_, x_, t_, y_);
    return y_[argc] > 1;
}
