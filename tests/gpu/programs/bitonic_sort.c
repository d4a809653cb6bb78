/* bitonic_sort: a sorting network; n must be a power of two.

   Parallel: i (the pairs of a stage are disjoint; half of the iterations do nothing). Serial: k and
   j, whose stages read and write what earlier ones did (flow, anti, output). */
#include <stdio.h>
#include <stdlib.h>

#ifndef LENGTH
#define LENGTH 1024
#endif

typedef int key_type;

static void bitonic_sort(key_type *data, int n)
{
    for (int k = 2; k <= n; k <<= 1) { /* @k */
        for (int j = k >> 1; j > 0; j >>= 1) { /* @j */
            for (int i = 0; i < n; i++) { /* @i */
                const int partner = i ^ j;
                if (partner > i) {
                    const int a = data[i], b = data[partner];
                    const int ascending = (i & k) == 0;
                    if (ascending ? a > b : a < b) {
                        data[i] = b;
                        data[partner] = a;
                    }
                }
            }
        }
    }
}

int main(void)
{
    key_type *data = malloc(LENGTH * sizeof *data);
    unsigned state = 1;
    int sorted = 1;

    if (!data)
        return 1;
    for (int i = 0; i < LENGTH; i++) {
        state = state * 1103515245u + 12345u;
        data[i] = (int)(state >> 16 & 0x7fff);
    }
    bitonic_sort(data, LENGTH);
    for (int i = 1; i < LENGTH; i++)
        sorted &= data[i - 1] <= data[i];
    printf("%s %d %d\n", sorted ? "sorted" : "NOT SORTED", (int)data[0], (int)data[LENGTH - 1]);
    free(data);
    return !sorted;
}
