/* A stencil of nine points. */
#ifndef N
#define N 256
#endif

static float a_[N * N], b_[N * N];

static void kernel(float *a, float *b)
{
#pragma logca offload collapse(2)
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            b[i * N + j] =
                0.2f * a[(i - 1) * N + j - 1] - 0.3f * a[i * N + j - 1]
                + 0.4f * a[(i + 1) * N + j - 1]
                + 0.5f * a[(i - 1) * N + j] + 0.6f * a[i * N + j] + 0.7f * a[(i + 1) * N + j]
                - 0.8f * a[(i - 1) * N + j + 1] - 0.9f * a[i * N + j + 1]
                + 0.1f * a[(i + 1) * N + j + 1];
}

int main(int argc, char **argv)
{
    a_[argc] = b_[argc] = argc;
    kernel(a_, b_);
    return b_[argc] > 1;
}
