/* DURBIN: the Yule-Walker equations of a Toeplitz matrix by Levinson's and Durbin's recursion. Each
   step has a sum over what is known, and two launches that bring it up to date (x = i). */
#include "common.h"

#ifndef N
#define N 256
#endif
#pragma logca work(N=2048)

static DATA_TYPE r[N], y[N], z[N];

void kernel_durbin(DATA_TYPE r[N], DATA_TYPE y[N], DATA_TYPE z[N])
{
    DATA_TYPE alpha = -r[0], beta = 1;

    y[0] = -r[0];
    for (int k = 1; k < N; k++) {
        DATA_TYPE sum = 0;
        beta = (1 - alpha * alpha) * beta;
        for (int i = 0; i < k; i++)
            sum += r[k - i - 1] * y[i];
        alpha = -(r[k] + sum) / beta;
#pragma logca offload
        for (int i = 0; i < k; i++)
            z[i] = y[i] + alpha * y[k - i - 1];
#pragma logca offload
        for (int i = 0; i < k; i++)
            y[i] = z[i];
        y[k] = alpha;
    }
}

int main(void)
{
    fill(1, r, 1, N);
    for (int i = 0; i < N; i++)
        r[i] /= N;
    input("r", r, N);
    kernel_durbin(r, y, z);
    result("y", y, N);
    return 0;
}
