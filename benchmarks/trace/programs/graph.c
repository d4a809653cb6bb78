/* Breadth-first search in a random graph, and products of its matrix with a vector. */
#include <stdio.h>
#include <stdlib.h>
#ifndef NODES
#define NODES 200000
#endif
#ifndef DEGREE
#define DEGREE 16
#endif
#ifndef TIMES
#define TIMES 10
#endif
static int start[NODES + 1], target[NODES * DEGREE], level[NODES], queue[NODES];
static double value[NODES * DEGREE], x[NODES], y[NODES];
int main(void) {
    unsigned seed = 1;
    for (int v = 0; v < NODES; v++) {
        start[v + 1] = start[v];
        for (int d = 0; d < DEGREE; d++) {
            seed = seed * 1664525u + 1013904223u;
            if (seed >> 31 && d) continue;
            value[start[v + 1]] = d + 1;
            target[start[v + 1]++] = (seed >> 8) % NODES;
        }
        x[v] = v % 7;
        level[v] = -1;
    }
    for (int t = 0; t < TIMES; t++) {
        for (int v = 0; v < NODES; v++) level[v] = -1;
        int head = 0, tail = 0;
        level[queue[tail++] = t] = 0;
        while (head < tail) {
            int v = queue[head++];
            for (int e = start[v]; e < start[v + 1]; e++)
                if (level[target[e]] < 0) {
                    level[target[e]] = level[v] + 1;
                    queue[tail++] = target[e];
                }
        }
        for (int v = 0; v < NODES; v++) {
            double sum = 0;
            for (int e = start[v]; e < start[v + 1]; e++) sum += value[e] * x[target[e]];
            y[v] = sum;
        }
        for (int v = 0; v < NODES; v++) x[v] = y[v] / DEGREE;
    }
    printf("%d %g\n", level[NODES - 1], x[NODES / 2]);
    return 0;
}
