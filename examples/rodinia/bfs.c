/* Breadth-first search from node 0: how many edges each node is away.

   Level by level, each with two loops over all nodes, as Harish and Narayanan have it (Accelerating
   large graph algorithms on the GPU using CUDA, HiPC 2007). */
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 2048
#endif
#define EDGES 6 /* of a node */

struct node {
    int first;
    int edges;
};

int main(void)
{
    struct node *nodes = malloc(N * sizeof(struct node));
    int *targets = malloc(EDGES * N * sizeof(int)), *cost = malloc(N * sizeof(int));
    bool *mask = malloc(N * sizeof(bool)), *updating = malloc(N * sizeof(bool));
    bool *visited = malloc(N * sizeof(bool));
    unsigned random = 7;
    for (int i = 0; i < N; i++) {
        nodes[i].first = EDGES * i;
        nodes[i].edges = EDGES;
        mask[i] = updating[i] = visited[i] = false;
        cost[i] = -1;
        for (int e = 0; e < EDGES; e++) {
            random = 1664525 * random + 1013904223;
            targets[EDGES * i + e] = (random >> 8) % N;
        }
    }
    int source = 0, levels = 0;
    bool more;
    mask[source] = visited[source] = true;
    cost[source] = 0;
    omp_set_num_threads(4);
    do {
        more = false;
#pragma omp parallel for
        for (int id = 0; id < N; id++) {
            if (mask[id]) {
                mask[id] = false;
                for (int e = nodes[id].first; e < nodes[id].first + nodes[id].edges; e++) {
                    int to = targets[e];
                    if (!visited[to]) {
                        cost[to] = cost[id] + 1;
                        updating[to] = true;
                    }
                }
            }
        }
#pragma omp parallel for
        for (int id = 0; id < N; id++) {
            if (updating[id]) {
                mask[id] = true;
                visited[id] = true;
                more = true;
                updating[id] = false;
            }
        }
        levels++;
    } while (more);
    long sum = 0;
    for (int i = 0; i < N; i++)
        sum += cost[i];
    printf("%d %ld\n", levels, sum);
    return 0;
}
