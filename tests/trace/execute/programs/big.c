/* Large static arrays, much output. */
#include <stdio.h>
#include <stdlib.h>

static double large[40 * 1000 * 1000];
static char rest[100 * 1000 * 1000];

int main(int argc, char **argv) {
    int lines = argc > 1 ? atoi(argv[1]) : 10;
    for (long i = 0; i < 40 * 1000 * 1000; i += 999983) large[i] = rest[2 * i] = (char)i;
    for (int i = 0; i < lines; i++) printf("line %d of the output: %g\n", i, large[999983 * (i % 40)]);
    fprintf(stderr, "done\n");
    return 0;
}
