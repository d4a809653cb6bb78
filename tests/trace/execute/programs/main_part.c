#include <stdio.h>
#include "parts.h"

static int hidden(int x) { return x + SHIFT; }
int shared = 5;

int main(void) {
    for (int i = 0; i < 4; i++) printf("%d %d\n", hidden(i), twice(i));
    printf("%d %g\n", shared, table[2]);
    return 0;
}
