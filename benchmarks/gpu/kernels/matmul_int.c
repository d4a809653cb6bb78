/* A product of matrices of whole numbers, a thread for each element. */
#ifndef N
#define N 128
#endif

static unsigned a[N * N], b[N * N], c[N * N];

static void kernel(unsigned *a, unsigned *b, unsigned *c)
{
#pragma logca offload collapse(2)
    for (int row = 0; row < N; row++)
        for (int column = 0; column < N; column++) {
            unsigned sum = 0;
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
