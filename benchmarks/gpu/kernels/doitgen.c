/* Every vector of A times a matrix; two launches for each r. */
#ifndef N
#define N 32
#endif

static float a_[N * N * N], c_[N * N], sum_[N * N * N];

static void kernel(float *a, float *c, float *sum)
{
    for (int r = 0; r < N; r++) {
#pragma logca offload collapse(2)
        for (int q = 0; q < N; q++)
            for (int p = 0; p < N; p++) {
                sum[r * N * N + q * N + p] = 0;
                for (int s = 0; s < N; s++)
                    sum[r * N * N + q * N + p] += a[r * N * N + q * N + s] * c[s * N + p];
            }
#pragma logca offload collapse(2)
        for (int q = 0; q < N; q++)
            for (int p = 0; p < N; p++)
                a[r * N * N + q * N + p] = sum[r * N * N + q * N + p];
    }
}

int main(int argc, char **argv)
{
    a_[argc] = c_[argc] = sum_[argc] = argc;
    kernel(a_, c_, sum_);
    return sum_[argc] > 1;
}
