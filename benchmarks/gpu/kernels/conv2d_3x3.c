/* A convolution with a mask of 3 x 3, without borders. */
#ifndef N
#define N 256
#endif

static float image[N * N], out[N * N], mask[9];

static void kernel(const float *restrict image, const float *restrict mask, float *restrict out)
{
#pragma logca offload collapse(2)
    for (int y = 0; y < N - 2; y++)
        for (int x = 0; x < N - 2; x++) {
            float sum = 0;
            for (int dy = 0; dy < 3; dy++)
                for (int dx = 0; dx < 3; dx++)
                    sum += image[(y + dy) * N + x + dx] * mask[dy * 3 + dx];
            out[y * N + x] = sum;
        }
}

int main(int argc, char **argv)
{
    image[argc] = mask[argc] = argc;
    kernel(image, mask, out);
    return out[argc] > 1;
}
