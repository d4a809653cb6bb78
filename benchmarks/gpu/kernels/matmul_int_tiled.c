/* A product of matrices of whole numbers by tiles, whose extent the kernel learns when it runs. */
#ifndef N
#define N 128
#endif
#ifndef TILE
#define TILE 16
#endif

static unsigned a[N][N], b[N][N], c[N][N];

static void kernel(int width)
{
#pragma logca offload collapse(2)
    for (int by = 0; by < N; by += TILE)
        for (int bx = 0; bx < N; bx += TILE) {
            unsigned left[TILE][TILE], right[TILE][TILE], sum[TILE][TILE];
#pragma logca shared(left, right)
#pragma logca private(sum)
#pragma logca threads collapse(2)
            for (int y = 0; y < TILE; y++)
                for (int x = 0; x < TILE; x++)
                    sum[y][x] = 0;
            for (int t = 0; t < N; t += TILE) {
#pragma logca threads collapse(2)
                for (int y = 0; y < TILE; y++)
                    for (int x = 0; x < TILE; x++) {
                        left[y][x] = a[by + y][t + x];
                        right[y][x] = b[t + y][bx + x];
                    }
#pragma logca barrier
#pragma logca threads collapse(2)
                for (int y = 0; y < TILE; y++)
                    for (int x = 0; x < TILE; x++) {
                        unsigned partial = sum[y][x];
                        for (int k = 0; k < width; k++)
                            partial += left[y][k] * right[k][x];
                        sum[y][x] = partial;
                    }
#pragma logca barrier
            }
#pragma logca threads collapse(2)
            for (int y = 0; y < TILE; y++)
                for (int x = 0; x < TILE; x++)
                    c[by + y][bx + x] = sum[y][x];
        }
}

int main(int argc, char **argv)
{
    a[0][argc] = b[0][argc] = argc;
    kernel(argc > 99 ? argc : TILE);
    return c[0][argc] > 1;
}
