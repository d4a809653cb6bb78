/* An image of three colours to grey. */
#ifndef N
#define N 256
#endif

static unsigned char in[N * N * 3], out[N * N];

static void kernel(unsigned char *in, unsigned char *out)
{
#pragma logca offload collapse(2)
    for (int row = 0; row < N; row++)
        for (int column = 0; column < N; column++) {
            int grey = row * N + column, colour = grey * 3;
            unsigned char red = in[colour], green = in[colour + 1], blue = in[colour + 2];
            out[grey] = (unsigned char)(0.21f * red + 0.71f * green + 0.07f * blue);
        }
}

int main(int argc, char **argv)
{
    in[argc] = argc;
    kernel(in, out);
    return out[argc] > 1;
}
