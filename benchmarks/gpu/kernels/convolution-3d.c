/* A stencil of eleven points in space, a launch for each plane. */
#ifndef N
#define N 32
#endif
#define AT(i, j, k) ((i) * N * N + (j) * N + (k))

static float a_[N * N * N], b_[N * N * N];

static void kernel(float *a, float *b)
{
    for (int i = 1; i < N - 1; i++) {
#pragma logca offload collapse(2)
        for (int j = 1; j < N - 1; j++)
            for (int k = 1; k < N - 1; k++)
                b[AT(i, j, k)] =
                    2 * a[AT(i - 1, j - 1, k - 1)] + 4 * a[AT(i + 1, j - 1, k - 1)]
                    + 5 * a[AT(i - 1, j - 1, k - 1)] + 7 * a[AT(i + 1, j - 1, k - 1)]
                    - 8 * a[AT(i - 1, j - 1, k - 1)] + 10 * a[AT(i + 1, j - 1, k - 1)]
                    - 3 * a[AT(i, j - 1, k)] + 6 * a[AT(i, j, k)] - 9 * a[AT(i, j + 1, k)]
                    + 2 * a[AT(i - 1, j - 1, k + 1)] + 4 * a[AT(i + 1, j - 1, k + 1)]
                    + 5 * a[AT(i - 1, j, k + 1)] + 7 * a[AT(i + 1, j, k + 1)]
                    - 8 * a[AT(i - 1, j + 1, k + 1)] + 10 * a[AT(i + 1, j + 1, k + 1)];
    }
}

int main(int argc, char **argv)
{
    a_[argc] = b_[argc] = argc;
    kernel(a_, b_);
    return b_[argc] > 1;
}
