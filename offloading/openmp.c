/* Linked into a program whose loops run on several cores: what is spent in each of them goes to the
 * file that LOGCA_TIMES names. With -DLOGCA_OVERHEAD it is a program that measures what a parallel
 * loop that does nothing costs, the first time and again. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifdef __linux__
#include <sched.h>
#endif
#ifdef _OPENMP
#include <omp.h>
#endif

enum { LOOPS = 64, ROUNDS = 200, BETWEEN = 1 << 15 };

static uint64_t spent[LOOPS], begun[LOOPS], entries[LOOPS];
static int warm;

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1000000000ull * (uint64_t)time.tv_sec + (uint64_t)time.tv_nsec;
}

/* A core of its own for each thread but the first, else two may share one until the system moves
 * one of them. Each asks for itself: a contained program cannot for others, as OMP_PROC_BIND does.
 * Threads that are made later get the cores of the first one, which has them all. */
static void take_core(int thread) {
#ifdef __linux__
    cpu_set_t all, one;
    if (!thread || sched_getaffinity(0, sizeof all, &all)) return;
    CPU_ZERO(&one);
    for (int core = 0; core < CPU_SETSIZE; core++)
        if (CPU_ISSET(core, &all) && !thread--) {
            CPU_SET(core, &one);
            sched_setaffinity(0, sizeof one, &one);
            return;
        }
#else
    (void)thread;
#endif
}

static int threads(void) {
    int number = 0;
#pragma omp parallel reduction(+ : number)
    {
        number++;
#ifdef _OPENMP
        take_core(omp_get_thread_num());
#endif
    }
    return number;
}

int logca_loop_entered(int loop) {
    if (!warm) warm = threads();
    entries[loop]++;
    begun[loop] = now();
    return 1;
}

int logca_loop_left(int loop) {
    uint64_t time = now() - begun[loop];
    spent[loop] += time ? time : 1;
    return 0;
}

__attribute__((destructor)) static void tell(void) {
    const char *path = getenv("LOGCA_TIMES");
    FILE *file = path ? fopen(path, "w") : 0;
    if (!file) return;
    for (int loop = 0; loop < LOOPS; loop++)
        fprintf(file, "%llu %llu\n", (unsigned long long)spent[loop],
                (unsigned long long)entries[loop]);
    fclose(file);
}

#ifdef LOGCA_OVERHEAD
static int compare(const void *one, const void *other) {
    uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return (a > b) - (a < b);
}

int main(void) {
    static uint64_t times[ROUNDS];
    static volatile double work[BETWEEN], values[256];
    int number = threads();
    for (int round = 0; round < ROUNDS; round++) {
        /* as in a program, in which one core computes between parallel loops */
        for (int each = 0; each < BETWEEN; each++) work[each] += round;
        uint64_t start = now();
#pragma omp parallel for
        for (int each = 0; each < number; each++) values[8 * (each & 31)] = round;
        times[round] = now() - start;
    }
    uint64_t first = times[0];
    qsort(times, ROUNDS, sizeof *times, compare);
    printf("%d %llu %llu\n", number, (unsigned long long)first,
           (unsigned long long)times[ROUNDS / 2]);
    return 0;
}
#endif
