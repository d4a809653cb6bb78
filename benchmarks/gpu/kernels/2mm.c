/* D = alpha A B C + beta D. */
#ifndef N
#define N 128
#endif

static float t_[N * N], a_[N * N], b_[N * N], c_[N * N], d_[N * N];

static void kernel(float alpha, float beta, float *t, float *a, float *b, float *c, float *d)
{
#pragma logca offload collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            t[i * N + j] = 0;
            for (int k = 0; k < N; k++)
                t[i * N + j] += alpha * a[i * N + k] * b[k * N + j];
        }
#pragma logca offload collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            d[i * N + j] *= beta;
            for (int k = 0; k < N; k++)
                d[i * N + j] += t[i * N + k] * c[k * N + j];
        }
}

int main(int argc, char **argv)
{
    t_[argc] = a_[argc] = b_[argc] = c_[argc] = d_[argc] = argc;
    kernel(1.5f * argc, 1.5f * argc, t_, a_, b_, c_, d_);
    return d_[argc] > 1;
}
