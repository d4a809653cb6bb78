/* A transpose by tiles of 32 x 32 in shared memory, a column wider than that. */
#ifndef N
#define N 256
#endif
#define TILE 32

static float a[N][N], b[N][N];

static void kernel(void)
{
#pragma logca offload collapse(2)
    for (int by = 0; by < N; by += TILE)
        for (int bx = 0; bx < N; bx += TILE) {
            float tile[TILE][TILE + 1];
#pragma logca shared(tile)
#pragma logca threads collapse(2)
            for (int y = 0; y < TILE; y++)
                for (int x = 0; x < TILE; x++)
                    tile[y][x] = a[by + y][bx + x];
#pragma logca barrier
#pragma logca threads collapse(2)
            for (int y = 0; y < TILE; y++)
                for (int x = 0; x < TILE; x++)
                    b[bx + y][by + x] = tile[x][y];
        }
}

int main(int argc, char **argv)
{
    a[0][argc] = argc;
    kernel();
    return b[0][argc] > 1;
}
