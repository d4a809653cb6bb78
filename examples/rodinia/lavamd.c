/* Forces between particles within a distance: each box of particles with the boxes around it.

   After the molecular dynamics of Szafaryn et al. (Experiences with Achieving Portability across
   Heterogeneous Architectures, WOLFHPC 2011). */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 3 /* boxes along each direction */
#endif
#define PARTICLES 24 /* of a box */
#define ALPHA 0.5f
#define BOXES (N * N * N)

#define DOT(a, b) ((a).x * (b).x + (a).y * (b).y + (a).z * (b).z)

typedef struct {
    float x, y, z;
} three_vector;
typedef struct {
    float v, x, y, z;
} four_vector;
typedef struct {
    int x, y, z, number;
    long offset;
} neighbour;
typedef struct {
    int x, y, z, number;
    long offset;
    int neighbours;
    neighbour nei[26];
} box;

static void forces(const box *boxes, const four_vector *rv, const float *qv, four_vector *fv)
{
    float a2 = 2 * ALPHA * ALPHA;
    int i, j, k, l, pointer;
    long first_i, first_j;
    float r2, u2, fs, vij, fxij, fyij, fzij;
    three_vector d;
    omp_set_num_threads(4);
#pragma omp parallel for private(i, j, k) private(first_i) \
    private(pointer, first_j) private(r2, u2, fs, vij, fxij, fyij, fzij, d)
    for (l = 0; l < BOXES; l = l + 1) {
        first_i = boxes[l].offset;
        for (k = 0; k < 1 + boxes[l].neighbours; k++) {
            pointer = k == 0 ? l : boxes[l].nei[k - 1].number;
            first_j = boxes[pointer].offset;
            for (i = 0; i < PARTICLES; i = i + 1) {
                for (j = 0; j < PARTICLES; j = j + 1) {
                    r2 = rv[first_i + i].v + rv[first_j + j].v -
                         DOT(rv[first_i + i], rv[first_j + j]);
                    u2 = a2 * r2;
                    vij = expf(-u2);
                    fs = 2.f * vij;
                    d.x = rv[first_i + i].x - rv[first_j + j].x;
                    d.y = rv[first_i + i].y - rv[first_j + j].y;
                    d.z = rv[first_i + i].z - rv[first_j + j].z;
                    fxij = fs * d.x;
                    fyij = fs * d.y;
                    fzij = fs * d.z;
                    fv[first_i + i].v += qv[first_j + j] * vij;
                    fv[first_i + i].x += qv[first_j + j] * fxij;
                    fv[first_i + i].y += qv[first_j + j] * fyij;
                    fv[first_i + i].z += qv[first_j + j] * fzij;
                }
            }
        }
    }
}

int main(void)
{
    box *boxes = malloc(BOXES * sizeof(box));
    four_vector *rv = malloc(BOXES * PARTICLES * sizeof(four_vector));
    four_vector *fv = calloc(BOXES * PARTICLES, sizeof(four_vector));
    float *qv = malloc(BOXES * PARTICLES * sizeof(float));
    int number = 0;
    for (int z = 0; z < N; z++)
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++) {
                box *b = &boxes[number];
                b->x = x, b->y = y, b->z = z, b->number = number;
                b->offset = (long)number * PARTICLES;
                b->neighbours = 0;
                number++;
                for (int c = z - 1; c <= z + 1; c++)
                    for (int r = y - 1; r <= y + 1; r++)
                        for (int q = x - 1; q <= x + 1; q++) {
                            int at = (c * N + r) * N + q;
                            if (c < 0 || r < 0 || q < 0 || c >= N || r >= N || q >= N)
                                continue;
                            if (at != b->number) {
                                neighbour n = {q, r, c, at, (long)at * PARTICLES};
                                b->nei[b->neighbours++] = n;
                            }
                        }
            }
    for (int i = 0; i < BOXES * PARTICLES; i++) {
        four_vector r = {(i * 13 % 10 + 1) / 10.0f, (i * 7 % 10 + 1) / 10.0f,
                         (i * 3 % 10 + 1) / 10.0f, (i * 17 % 10 + 1) / 10.0f};
        rv[i] = r;
        qv[i] = (i * 11 % 10 + 1) / 10.0f;
    }
    double start = omp_get_wtime();
    forces(boxes, rv, qv, fv);
    fprintf(stderr, "%g s\n", omp_get_wtime() - start);
    double sum = 0;
    for (int i = 0; i < BOXES * PARTICLES; i++)
        sum += fv[i].v;
    printf("%.4e\n", sum);
    return 0;
}
