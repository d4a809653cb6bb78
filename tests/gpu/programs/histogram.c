/* histogram: equalise the grey values of an image by their cumulative frequencies.

   Parallel: clear and apply (indirect loads, own stores). Serial: count, where pixels meet in a bin
   (flow, output), and accumulate, a running sum in memory (flow). */
#include <stdio.h>
#include <stdint.h>

#ifndef PIXELS
#define PIXELS 8192
#endif
#define LEVELS 256

typedef unsigned bin_t;

static uint8_t image[PIXELS];
static uint8_t equalised[PIXELS];
static bin_t bins[LEVELS];
static bin_t cumulative[LEVELS];

static void equalise(void)
{
    for (int g = 0; g < LEVELS; g++) /* @clear */
        bins[g] = 0;
    for (int p = 0; p < PIXELS; p++) /* @count */
        bins[image[p]]++;
    cumulative[0] = bins[0];
    for (int g = 1; g < LEVELS; g++) /* @accumulate */
        cumulative[g] = cumulative[g - 1] + bins[g];
    for (int p = 0; p < PIXELS; p++) /* @apply */
        equalised[p] = (uint8_t)(cumulative[image[p]] * (LEVELS - 1) / PIXELS);
}

int main(void)
{
    uint32_t state = 12345;
    unsigned long sum = 0;

    for (int p = 0; p < PIXELS; p++) {
        state = state * 1664525u + 1013904223u;
        image[p] = (uint8_t)((state >> 24) * (state >> 24) / 256);
    }
    equalise();
    for (int p = 0; p < PIXELS; p++)
        sum += equalised[p];
    printf("%lu\n", sum);
    return 0;
}
