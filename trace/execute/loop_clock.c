/* Linked into a program whose loops are timed: what is spent in each of them, and how often it was
 * entered, go into the words of the state behind its header, and what the whole program took behind
 * these. A loop that `exit` leaves counts up to there; one inside of another timed loop, as through
 * a call, counts with that one alone.
 *
 * All memory is touched before `main`, or when it is given: else the first loop that writes it would
 * be charged for its pages, which an accelerator's buffers have already. */
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { HEADER_WORDS = 64, WORDS = 3, NONE = -1 };

extern volatile uint64_t __logca_trace_state[];
extern const uint64_t __logca_trace_loops;
extern char edata, end;

void *__logca_trace_malloc(size_t bytes);
void *__logca_trace_calloc(size_t number, size_t bytes);
void *__logca_trace_aligned_alloc(size_t to, size_t bytes);

volatile char __logca_trace_sink[64];

static int64_t running = NONE;

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1000000000ull * (uint64_t)time.tv_sec + (uint64_t)time.tv_nsec;
}

static volatile uint64_t *words_of(uint64_t loop) {
    return __logca_trace_state + HEADER_WORDS + WORDS * loop;
}

void __logca_trace_loop_entered(uint64_t loop) {
    /* a loop that a jump has left is entered again */
    if (running != NONE && running != (int64_t)loop) return;
    volatile uint64_t *words = words_of(loop);
    running = (int64_t)loop;
    words[1]++;
    words[2] = now();
}

void __logca_trace_loop_left(uint64_t loop) {
    uint64_t stop = now();
    if (running != (int64_t)loop) return;
    volatile uint64_t *words = words_of(loop);
    running = NONE;
    words[0] += stop - words[2];
}

static void *touched(void *memory, size_t bytes) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (size_t at = 0; memory && at < bytes; at += page) ((volatile char *)memory)[at] = 0;
    return memory;
}

void *__logca_trace_touched_malloc(size_t bytes) {
    return touched(__logca_trace_malloc(bytes), bytes);
}
void *__logca_trace_touched_calloc(size_t number, size_t bytes) {
    return touched(__logca_trace_calloc(number, bytes), number * bytes);
}
void *__logca_trace_touched_aligned_alloc(size_t to, size_t bytes) {
    return touched(__logca_trace_aligned_alloc(to, bytes), bytes);
}

/* behind `begin` of runtime.c, which makes the state */
__attribute__((constructor(102))) static void start(void) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    for (volatile char *at = &edata; at < &end; at += page) *at = *at;
    words_of(__logca_trace_loops)[1] = now();
}

__attribute__((destructor)) static void leave_all(void) {
    if (running != NONE) __logca_trace_loop_left((uint64_t)running);
    volatile uint64_t *whole = words_of(__logca_trace_loops);
    whole[0] = now() - whole[1];
}

/* Given the address of a local array, about which the optimiser then knows nothing any more. */
void __logca_trace_keep(void *array) { (void)array; }
