/* Linked into a program whose loops are timed: what is spent in each of them, and how often it was
 * entered, go into the words of the state behind its header, and what the whole program took behind
 * these. A loop that `exit` leaves counts up to there. */
#include <stdint.h>
#include <time.h>

enum { HEADER_WORDS = 64, WORDS = 3 };

extern volatile uint64_t __logca_trace_state[];
extern const uint64_t __logca_trace_loops;

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1000000000ull * (uint64_t)time.tv_sec + (uint64_t)time.tv_nsec;
}

static volatile uint64_t *words_of(uint64_t loop) {
    return __logca_trace_state + HEADER_WORDS + WORDS * loop;
}

void __logca_trace_loop_entered(uint64_t loop) {
    volatile uint64_t *words = words_of(loop);
    words[1]++;
    words[2] = now();
}

void __logca_trace_loop_left(uint64_t loop) {
    uint64_t end = now();
    volatile uint64_t *words = words_of(loop);
    words[0] += end - words[2];
    words[2] = 0;
}

/* behind `begin` of runtime.c, which makes the state */
__attribute__((constructor(102))) static void start(void) {
    words_of(__logca_trace_loops)[1] = now();
}

__attribute__((destructor)) static void leave_all(void) {
    for (uint64_t loop = 0; loop < __logca_trace_loops; loop++)
        if (words_of(loop)[2]) __logca_trace_loop_left(loop);
    volatile uint64_t *whole = words_of(__logca_trace_loops);
    whole[0] = now() - whole[1];
}

/* Given the address of a local array, about which the optimiser then knows nothing any more. */
void __logca_trace_keep(void *array) { (void)array; }
