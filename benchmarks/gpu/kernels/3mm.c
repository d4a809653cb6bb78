/* G = A B C D. */
#ifndef N
#define N 128
#endif

static float a_[N * N], b_[N * N], c_[N * N], d_[N * N], e_[N * N], f_[N * N], g_[N * N];

static void kernel(float *a, float *b, float *c, float *d, float *e, float *f, float *g)
{
#pragma logca offload collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            e[i * N + j] = 0;
            for (int k = 0; k < N; k++)
                e[i * N + j] += a[i * N + k] * b[k * N + j];
        }
#pragma logca offload collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            f[i * N + j] = 0;
            for (int k = 0; k < N; k++)
                f[i * N + j] += c[i * N + k] * d[k * N + j];
        }
#pragma logca offload collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            g[i * N + j] = 0;
            for (int k = 0; k < N; k++)
                g[i * N + j] += e[i * N + k] * f[k * N + j];
        }
}

int main(int argc, char **argv)
{
    a_[argc] = b_[argc] = c_[argc] = d_[argc] = e_[argc] = f_[argc] = g_[argc] = argc;
    kernel(a_, b_, c_, d_, e_, f_, g_);
    return g_[argc] > 1;
}
