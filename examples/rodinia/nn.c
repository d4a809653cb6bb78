/* The K nearest of N storms, whose places are texts of fixed width. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef N
#define N 2048
#endif
#define K 5
#define WIDTH 24    /* of a record: name, latitude, longitude */
#define LATITUDE 10 /* where they begin, with four digits and a point */
#define LONGITUDE 16

static float number(const char *text)
{
    float value = 0, scale = 0;
    for (int i = 0; i < 5; i++) {
        if (text[i] == '.') {
            scale = 1;
        } else {
            value = 10 * value + (text[i] - '0');
            scale *= 10;
        }
    }
    return scale > 0 ? value / scale : value;
}

int main(void)
{
    char *records = malloc(N * WIDTH + 1);
    float *distance = malloc(N * sizeof(float));
    for (int i = 0; i < N; i++) {
        int degrees = i * 7919 % 900, across = i * 104729 % 3600;
        snprintf(records + i * WIDTH, WIDTH + 1, "storm%05d%03d.%d %03d.%d  ", i, degrees / 10,
                 degrees % 10, across / 10, across % 10);
    }
    float latitude = 30, longitude = 90;
    int i;
    omp_set_num_threads(4);
#pragma omp parallel for shared(distance, latitude, longitude) private(i)
    for (i = 0; i < N; i++) {
        const char *record = records + i * WIDTH;
        float down = number(record + LATITUDE) - latitude;
        float along = number(record + LONGITUDE) - longitude;
        distance[i] = sqrtf(down * down + along * along);
    }
    for (int k = 0; k < K; k++) {
        int best = 0;
        for (int i = 1; i < N; i++)
            if (distance[i] < distance[best])
                best = i;
        printf("%.10s %.4f\n", records + best * WIDTH, distance[best]);
        distance[best] = 1e9f;
    }
    return 0;
}
