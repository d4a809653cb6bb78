/* A gather by an index, all zero as where it was measured: every thread reads one element. */
#ifndef N
#define N 65536
#endif

static float a[N], b[N];
static int index[N];

static void kernel(const float *restrict a, const int *restrict index, float *restrict b)
{
#pragma logca offload
    for (int i = 0; i < N; i++)
        b[i] = a[index[i]];
}

int main(int argc, char **argv)
{
    a[0] = argc;
    kernel(a, index, b);
    return b[argc] > 1;
}
