#include "parts.h"

static int hidden(int x) { return x * 2; }
double table[3] = {1, 2, 3};

__attribute__((constructor)) static void before(void) { table[2] = 7; }

int twice(int x) {
    shared += x;
    table[2] += 0.5;
    return hidden(x);
}
