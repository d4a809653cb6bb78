/* A convolution with a mask of WIDTH x WIDTH whose extent the kernel learns when it runs. The
   clamp is in double precision, as its constants are. */
#include <math.h>

#ifndef N
#define N 256
#endif
#ifndef WIDTH
#define WIDTH 5
#endif

static float in[N * N], out[N * N], mask[WIDTH * WIDTH];

static void kernel(float *in, float *mask, float *out, int width)
{
#pragma logca offload collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            float sum = 0;
            int first_row = i - width / 2, first_column = j - width / 2;
            for (int k = 0; k < width; k++)
                for (int l = 0; l < width; l++)
                    if (first_row + k >= 0 && first_row + k < N && first_column + l >= 0 &&
                        first_column + l < N)
                        sum += in[(first_row + k) * N + first_column + l] * mask[k * width + l];
            out[i * N + j] = fmin(fmax(sum, 0.0), 1.0);
        }
}

int main(int argc, char **argv)
{
    in[argc] = mask[argc] = argc;
    kernel(in, mask, out, argc > 99 ? argc : WIDTH);
    return out[argc] > 1;
}
