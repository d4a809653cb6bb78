/* Sum of two vectors; every other lane sums up 128 numbers besides. */
#ifndef N
#define N 65536
#endif

static float a[N], b[N], c[N];

static void kernel(const float *restrict a, const float *restrict b, float *restrict c)
{
#pragma logca offload
    for (int i = 0; i < N; i++)
        if ((i & 1) == 0) {
            float sum = 0;
            for (int t = 0; t < 128; t++)
                sum += 0.0001f * t;
            c[i] = a[i] + b[i] + sum;
        } else {
            c[i] = a[i] + b[i];
        }
}

int main(int argc, char **argv)
{
    a[argc] = b[argc] = argc;
    kernel(a, b, c);
    return c[argc] > 1;
}
