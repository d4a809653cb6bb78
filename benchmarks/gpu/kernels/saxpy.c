/* A vector scaled, and another added to it. */
#ifndef N
#define N 65536
#endif

static float x[N], y[N], z[N];

static void kernel(float alpha, const float *restrict x, const float *restrict y, float *restrict z)
{
#pragma logca offload
    for (int i = 0; i < N; i++)
        z[i] = alpha * x[i] + y[i];
}

int main(int argc, char **argv)
{
    x[argc] = y[argc] = argc;
    kernel(2.0f * argc, x, y, z);
    return z[argc] > 1;
}
