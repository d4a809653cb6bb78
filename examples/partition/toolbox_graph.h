/* Directed graphs: shortest paths (Dijkstra, with a heap), lightest spanning trees (Kruskal),
   strong components (Tarjan) and an order of them (Kahn). */
#include "toolbox_common.h"

enum { VERTICES = SIZE, EDGES = 4 * SIZE, FAR = 0x7fffffff };

typedef struct {
    int from, to, weight;
} Edge;

static Edge edges[EDGES];
static int first_edge[VERTICES + 1], by_source[EDGES]; /* edges of a vertex stand together */
static int distance[VERTICES], heap[VERTICES], place[VERTICES], heap_size;

static void draw_edges(void)
{
    uint32_t state = 44;
    for (int i = 0; i < EDGES; i++) {
        edges[i].from = (int)draw(&state, VERTICES);
        edges[i].to = (int)draw(&state, VERTICES);
        if (draw(&state, 4) == 0)
            edges[i].to = (edges[i].from + 1) % VERTICES;
        edges[i].weight = 1 + (int)draw(&state, 1000);
    }
}

static void group_by_source(void)
{
    memset(first_edge, 0, sizeof first_edge);
    for (int i = 0; i < EDGES; i++)
        first_edge[edges[i].from + 1]++;
    for (int v = 0; v < VERTICES; v++)
        first_edge[v + 1] += first_edge[v];
    for (int i = EDGES - 1; i >= 0; i--)
        by_source[--first_edge[edges[i].from + 1]] = i;
    for (int v = 0; v < VERTICES; v++)
        first_edge[v] = first_edge[v + 1];
    first_edge[VERTICES] = EDGES;
}

static void set_place(int at, int vertex)
{
    heap[at] = vertex;
    place[vertex] = at;
}

static void rise(int at)
{
    int vertex = heap[at];
    while (at > 0 && distance[heap[(at - 1) / 2]] > distance[vertex]) {
        set_place(at, heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    set_place(at, vertex);
}

static int nearest(void)
{
    int best = heap[0], at = 0, child, vertex = heap[--heap_size];
    while ((child = 2 * at + 1) < heap_size) {
        if (child + 1 < heap_size && distance[heap[child + 1]] < distance[heap[child]])
            child++;
        if (distance[heap[child]] >= distance[vertex])
            break;
        set_place(at, heap[child]);
        at = child;
    }
    set_place(at, vertex);
    place[best] = -1;
    return best;
}

static void shortest_paths(int source)
{
    for (int v = 0; v < VERTICES; v++) {
        distance[v] = FAR;
        place[v] = -1;
    }
    distance[source] = 0;
    set_place(0, source);
    heap_size = 1;
    while (heap_size > 0) {
        int from = nearest();
        for (int i = first_edge[from]; i < first_edge[from + 1]; i++) {
            const Edge *edge = &edges[by_source[i]];
            if (distance[from] + edge->weight >= distance[edge->to])
                continue;
            if (distance[edge->to] == FAR)
                set_place(heap_size++, edge->to);
            distance[edge->to] = distance[from] + edge->weight;
            rise(place[edge->to]);
        }
    }
}

static int by_weight(const void *a, const void *b)
{
    const Edge *first = &edges[*(const int *)a], *second = &edges[*(const int *)b];
    if (first->weight != second->weight)
        return first->weight < second->weight ? -1 : 1;
    return 0;
}

static int root_of(int *parent, int v)
{
    for (; parent[v] != v; v = parent[v])
        parent[v] = parent[parent[v]];
    return v;
}

/* The weight of the lightest forest that joins whatever edges join, in either direction. */
static int spanning_weight(int *trees)
{
    static int parent[VERTICES], order[EDGES];
    int weight = 0;
    *trees = VERTICES;
    for (int v = 0; v < VERTICES; v++)
        parent[v] = v;
    for (int i = 0; i < EDGES; i++)
        order[i] = i;
    qsort(order, EDGES, sizeof *order, by_weight);
    for (int i = 0; i < EDGES; i++) {
        const Edge *edge = &edges[order[i]];
        int a = root_of(parent, edge->from), b = root_of(parent, edge->to);
        if (a == b)
            continue;
        parent[a] = b;
        weight += edge->weight;
        --*trees;
    }
    return weight;
}

typedef struct {
    int index[VERTICES], low[VERTICES], component[VERTICES], stack[VERTICES];
    int visited, depth, components;
} Search;

static void visit(Search *search, int v)
{
    search->index[v] = search->low[v] = ++search->visited;
    search->stack[search->depth++] = v;
    for (int i = first_edge[v]; i < first_edge[v + 1]; i++) {
        int to = edges[by_source[i]].to;
        if (!search->index[to]) {
            visit(search, to);
            if (search->low[to] < search->low[v])
                search->low[v] = search->low[to];
        } else if (search->component[to] < 0 && search->index[to] < search->low[v]) {
            search->low[v] = search->index[to];
        }
    }
    if (search->low[v] < search->index[v])
        return;
    int member;
    do {
        member = search->stack[--search->depth];
        search->component[member] = search->components;
    } while (member != v);
    search->components++;
}

static void strong_components(Search *search)
{
    memset(search, 0, sizeof *search);
    for (int v = 0; v < VERTICES; v++)
        search->component[v] = -1;
    for (int v = 0; v < VERTICES; v++)
        if (!search->index[v])
            visit(search, v);
}

/* The number of edges on the longest way from component to component. */
static int longest_way(const Search *search)
{
    static int waiting[VERTICES], length[VERTICES], queue[VERTICES];
    int head = 0, tail = 0, longest = 0;
    memset(waiting, 0, sizeof waiting);
    memset(length, 0, sizeof length);
    for (int i = 0; i < EDGES; i++)
        if (search->component[edges[i].from] != search->component[edges[i].to])
            waiting[search->component[edges[i].to]]++;
    for (int c = 0; c < search->components; c++)
        if (!waiting[c])
            queue[tail++] = c;
    for (; head < tail; head++)
        for (int i = 0; i < EDGES; i++) {
            int from = search->component[edges[i].from], to = search->component[edges[i].to];
            if (from != queue[head] || to == from)
                continue;
            if (length[from] + 1 > length[to])
                length[to] = length[from] + 1;
            if (length[to] > longest)
                longest = length[to];
            if (--waiting[to] == 0)
                queue[tail++] = to;
        }
    CHECK(tail == search->components, "the components have no order");
    return longest;
}

static void try_graph(void)
{
    static Search search;
    int trees;
    draw_edges();
    group_by_source();
    uint32_t hash = HASH;
    for (int source = 0; source < 3; source++) {
        shortest_paths(source);
        for (int v = 0; v < VERTICES; v++)
            hash = hash_word(hash, (uint32_t)distance[v]);
    }
    printf("paths %08x\n", (unsigned)hash);
    int weight = spanning_weight(&trees);
    printf("forest %d %d\n", weight, trees);
    strong_components(&search);
    printf("components %d %d\n", search.components, longest_way(&search));
}
