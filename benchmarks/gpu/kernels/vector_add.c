/* Sum of two vectors. */
#ifndef N
#define N 65536
#endif

static float a[N], b[N], c[N];

static void kernel(const float *restrict a, const float *restrict b, float *restrict c)
{
#pragma logca offload
    for (int i = 0; i < N; i++)
        c[i] = a[i] + b[i];
}

int main(int argc, char **argv)
{
    a[argc] = b[argc] = argc;
    kernel(a, b, c);
    return c[argc] > 1;
}
