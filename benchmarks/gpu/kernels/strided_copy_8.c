/* A copy of every eighth element. */
#ifndef N
#define N 65536
#endif

static float a[N], c[N];

static void kernel(const float *restrict a, float *restrict c)
{
#pragma logca offload
    for (int i = 0; i < N / 8; i++)
        c[i * 8] = a[i * 8];
}

int main(int argc, char **argv)
{
    a[8 * argc] = argc;
    kernel(a, c);
    return c[8 * argc] > 1;
}
