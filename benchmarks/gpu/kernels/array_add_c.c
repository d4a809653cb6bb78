/* A sum of two square arrays, a warp along rows. */
#ifndef N
#define N 256
#endif

static float a[N * N], b[N * N], c[N * N];

static void kernel(float *a, float *b, float *c)
{
#pragma logca offload collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            c[i * N + j] = a[i * N + j] + b[i * N + j];
}

int main(int argc, char **argv)
{
    a[argc] = b[argc] = argc;
    kernel(a, b, c);
    return c[argc] > 1;
}
