/* A product of matrices, a thread for each element. */
#ifndef N
#define N 128
#endif

static float a[N * N], b[N * N], c[N * N];

static void kernel(const float *restrict a, const float *restrict b, float *restrict c)
{
#pragma logca offload collapse(2)
    for (int row = 0; row < N; row++)
        for (int column = 0; column < N; column++) {
            float sum = 0;
            for (int k = 0; k < N; k++)
                sum += a[row * N + k] * b[k * N + column];
            c[row * N + column] = sum;
        }
}

int main(int argc, char **argv)
{
    a[argc] = b[argc] = argc;
    kernel(a, b, c);
    return c[argc] > 1;
}
