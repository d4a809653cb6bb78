/* Corners of the language and of the system: atomics, vectors, assembly, signals, thread-local
 * variables, weak and aliased functions, own versions of library functions. */
#include <alloca.h>
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef float four __attribute__((vector_size(16)));
struct list { int n; short rest[]; };

static _Thread_local int local_to_thread = 3;
static atomic_int counter;
static volatile sig_atomic_t raised;
static sigjmp_buf again;

__attribute__((weak)) int weak_one(void) { return 17; }
int aliased(void) __attribute__((alias("weak_one")));
__attribute__((const)) static int pure_with_table(int x) {
    static const int table[4] = {3, 1, 4, 1};
    return table[x & 3];
}
__attribute__((destructor)) static void last_words(void) { printf("bye %d\n", local_to_thread); }

static void on_signal(int number) {
    int seen[4];
    for (int i = 0; i < 4; i++) seen[i] = number + i;
    raised += seen[2];
}
static void on_fault(int number) { siglongjmp(again, number); }

static int old_style(a, b) int a; char *b; { return a + (int)strlen(b); }

static int leave_two(int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (i * j == 6) { n = i * 10 + j; goto out; }
out:
    return n;
}

static unsigned big_switch(unsigned x) {
    switch (x * 2654435761u % 31) {
    case 0: return 5; case 1: return 8; case 2: return 1; case 4: case 5: case 6: return 9;
    case 9: x++; /* fall through */
    case 11: return x; case 17: return 3; case 22: return 77; case 30: return 4;
    default: return x % 7;
    }
}

int main(void) {
    for (int i = 0; i < 5; i++) atomic_fetch_add(&counter, i);
    int expected = 10;
    bool swapped = atomic_compare_exchange_strong(&counter, &expected, 99);
    printf("%d %d\n", swapped, atomic_load(&counter));

    four v = {1, 2, 3, 4}, w = v * v + (four){0.5f, 0.5f, 0.5f, 0.5f}, table[3] = {v, w, v - w};
    for (int i = 0; i < 4; i++) printf("%g ", (double)table[2][i]);
    __int128 wide = (__int128)1 << 100;
    printf("%llx\n", (unsigned long long)(wide >> 60));

    uint64_t number = 5;
#if defined(__x86_64__)
    for (int i = 0; i < 3; i++) __asm__ volatile("addq %1, %0" : "+r"(number) : "r"((uint64_t)i));
#else
    number += 3;
#endif
    printf("%llu\n", (unsigned long long)number);

    signal(SIGUSR1, on_signal);
    for (int i = 0; i < 3; i++) raise(SIGUSR1);
    signal(SIGSEGV, on_fault);
    volatile int faults = 0;
    for (int i = 0; i < 2; i++)
        if (sigsetjmp(again, 1) == 0) *(volatile int *)(uintptr_t)(8 * i) = 1;
        else faults++;
    printf("%d %d\n", (int)raised, faults);

    local_to_thread += aliased() + weak_one() + old_style(1, "four");
    int sum = 0;
    for (int i = 0; i < 9; i++) sum += pure_with_table(i) + pure_with_table(i);
    for (unsigned i = 0; i < 64; i++) sum += (int)big_switch(i);
    struct list *list = alloca(sizeof *list + 8 * sizeof(short));
    list->n = 8;
    for (int i = 0; i < list->n; i++) list->rest[i] = (short)(i * i);
    for (int i = 0; i < list->n; i++) sum += list->rest[i];
    printf("%d %d\n", sum, leave_two(9));

    errno = 0;
    FILE *none = fopen("there/is/none", "r");
    printf("%d %s\n", none == NULL, strerror(errno));
    FILE *file = tmpfile();
    for (int i = 0; i < 100; i++) fprintf(file, "%d,", i);
    rewind(file);
    int read = 0, value;
    while (fscanf(file, "%d,", &value) == 1) read += value;
    fclose(file);
    printf("%d\n", read);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        for (int i = 0; i < 1000; i++) list->rest[i % 8]++;
        printf("child %d\n", list->rest[0]);
        exit(4);
    }
    int status;
    waitpid(child, &status, 0);
    printf("%d %d\n", WEXITSTATUS(status), list->rest[0]);
    fflush(stdout);
    printf("%d\n", WEXITSTATUS(system("echo from a shell; exit 3")));
    return 260;
}
