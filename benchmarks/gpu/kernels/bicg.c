/* s = A^T r, q = A p. */
#ifndef N
#define N 512
#endif

static float a_[N * N], r_[N], p_[N], s_[N], q_[N];

static void kernel(float *a, float *r, float *p, float *s, float *q)
{
#pragma logca offload
    for (int i = 0; i < N; i++) {
        s[i] = 0;
        for (int j = 0; j < N; j++)
            s[i] += a[j * N + i] * r[j];
    }
#pragma logca offload
    for (int i = 0; i < N; i++) {
        q[i] = 0;
        for (int j = 0; j < N; j++)
            q[i] += a[i * N + j] * p[j];
    }
}

int main(int argc, char **argv)
{
    a_[argc] = r_[argc] = p_[argc] = s_[argc] = q_[argc] = argc;
    kernel(a_, r_, p_, s_, q_);
    return q_[argc] > 1;
}
