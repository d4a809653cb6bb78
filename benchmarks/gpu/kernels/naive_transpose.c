/* A transpose that reads rows and writes columns. */
#ifndef N
#define N 256
#endif

static float a[N * N], b[N * N];

static void kernel(const float *restrict a, float *restrict b)
{
#pragma logca offload collapse(2)
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++)
            b[x * N + y] = a[y * N + x];
}

int main(int argc, char **argv)
{
    a[argc] = argc;
    kernel(a, b);
    return b[argc] > 1;
}
