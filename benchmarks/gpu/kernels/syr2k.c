/* C = alpha (A B^T + B A^T) + beta C. */
#ifndef N
#define N 128
#endif

static float a_[N * N], b_[N * N], c_[N * N];

static void kernel(float alpha, float beta, float *a, float *b, float *c)
{
#pragma logca offload collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            c[i * N + j] *= beta;
            for (int k = 0; k < N; k++)
                c[i * N + j] += alpha * a[i * N + k] * b[j * N + k]
                                + alpha * b[i * N + k] * a[j * N + k];
        }
}

int main(int argc, char **argv)
{
    a_[argc] = b_[argc] = c_[argc] = argc;
    kernel(1.5f * argc, 1.5f * argc, a_, b_, c_);
    return c_[argc] > 1;
}
