/* Sorting of whole numbers in five ways, which must agree, and searching in the result. */
#include "toolbox_common.h"

enum { SORTED = 4 * SIZE };

static uint32_t unsorted[SORTED], sorted[SORTED], again[SORTED], spare[SORTED];

static void swap_words(uint32_t *a, uint32_t *b)
{
    uint32_t kept = *a;
    *a = *b;
    *b = kept;
}

static void insertion_sort(uint32_t *x, int count)
{
    for (int i = 1; i < count; i++) {
        uint32_t moved = x[i];
        int j = i;
        for (; j > 0 && x[j - 1] > moved; j--)
            x[j] = x[j - 1];
        x[j] = moved;
    }
}

/* Hoare's quicksort with the median of three; the larger part is done in the loop. */
static void quick_sort(uint32_t *x, int count)
{
    while (count > 12) {
        int middle = count / 2, last = count - 1;
        if (x[middle] < x[0])
            swap_words(&x[middle], &x[0]);
        if (x[last] < x[0])
            swap_words(&x[last], &x[0]);
        if (x[last] < x[middle])
            swap_words(&x[last], &x[middle]);
        uint32_t pivot = x[middle];
        int i = 0, j = last;
        while (i <= j) {
            while (x[i] < pivot)
                i++;
            while (x[j] > pivot)
                j--;
            if (i <= j)
                swap_words(&x[i++], &x[j--]);
        }
        if (j + 1 < count - i) {
            quick_sort(x, j + 1);
            x += i;
            count -= i;
        } else {
            quick_sort(x + i, count - i);
            count = j + 1;
        }
    }
    insertion_sort(x, count);
}

static void sift_down(uint32_t *heap, int at, int count)
{
    uint32_t sinking = heap[at];
    for (int child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && heap[child + 1] > heap[child])
            child++;
        if (heap[child] <= sinking)
            break;
        heap[at] = heap[child];
    }
    heap[at] = sinking;
}

static void heap_sort(uint32_t *x, int count)
{
    for (int i = count / 2 - 1; i >= 0; i--)
        sift_down(x, i, count);
    for (int left = count - 1; left > 0; left--) {
        swap_words(&x[0], &x[left]);
        sift_down(x, 0, left);
    }
}

static void merge_sort(uint32_t *x, int count)
{
    uint32_t *from = x, *to = spare;
    for (int width = 1; width < count; width *= 2) {
        for (int low = 0; low < count; low += 2 * width) {
            int middle = low + width < count ? low + width : count;
            int high = low + 2 * width < count ? low + 2 * width : count;
            int i = low, j = middle;
            for (int k = low; k < high; k++) {
                if (i < middle && (j >= high || from[i] <= from[j]))
                    to[k] = from[i++];
                else
                    to[k] = from[j++];
            }
        }
        uint32_t *kept = from;
        from = to;
        to = kept;
    }
    if (from != x)
        memcpy(x, from, (size_t)count * sizeof *x);
}

static void radix_sort(uint32_t *x, int count)
{
    uint32_t *from = x, *to = spare;
    for (int shift = 0; shift < 32; shift += 8) {
        int starts[257] = {0};
        for (int i = 0; i < count; i++)
            starts[(from[i] >> shift & 255) + 1]++;
        for (int i = 0; i < 256; i++)
            starts[i + 1] += starts[i];
        for (int i = 0; i < count; i++)
            to[starts[from[i] >> shift & 255]++] = from[i];
        uint32_t *kept = from;
        from = to;
        to = kept;
    }
}

static void shell_sort(uint32_t *x, int count)
{
    int gap = 1;
    while (gap < count / 3)
        gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (int i = gap; i < count; i++) {
            uint32_t moved = x[i];
            int j = i;
            for (; j >= gap && x[j - gap] > moved; j -= gap)
                x[j] = x[j - gap];
            x[j] = moved;
        }
}

/* How many of the sorted numbers are less than a bound. */
static int rank_of(const uint32_t *x, int count, uint32_t bound)
{
    int low = 0, high = count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (x[middle] < bound)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void try_sorting(void)
{
    static void (*const ways[])(uint32_t *, int) = {heap_sort, merge_sort, radix_sort, shell_sort};
    uint32_t state = 11, hash = HASH, ranks = 0;
    for (int i = 0; i < SORTED; i++)
        unsorted[i] = draw(&state, 3 * SORTED) * (i % 2 ? 1u : 12345u);
    memcpy(sorted, unsorted, sizeof sorted);
    quick_sort(sorted, SORTED);
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
        memcpy(again, unsorted, sizeof again);
        ways[way](again, SORTED);
        CHECK(!memcmp(again, sorted, sizeof again), "two ways of sorting disagree");
    }
    for (int i = 0; i < SORTED; i++) {
        hash = hash_word(hash, sorted[i]);
        ranks += (uint32_t)rank_of(sorted, SORTED, unsorted[i] / 2);
    }
    printf("sorting %08x %u\n", (unsigned)hash, (unsigned)ranks);
}
