/* Linked into an instrumented program: hands full chunks of records to the reader, and leaves in
 * shared memory whatever the reader must know when the program is gone.
 *
 * Everything that matters lies in `__logca_trace_state`, which the instrumented program defines and
 * which is mapped over a file shared with the reader: cursor, counters, the place of a crash.
 * Nothing needs to be flushed at the end, so that exit(), _exit(), abort(), a crash and SIGKILL all
 * leave the same complete state. The words' numbers are those of StateWord in
 * ../instrument/records.py. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

enum {
    CURSOR, END, BASE, RING, CHUNK_BYTES, CHUNKS, HANDED, STOP, READY,
    SIGNAL, PC, ADDRESS, STACK_POINTER, STACK_TOP, STACK_LIMIT, REFUSED, THREADS, TOO_LARGE, CLOSED,
    ASIDE, LAST_CURSOR, LAST_END, HANDLED, COPIES,
    LIMIT_CPU = 24, LIMIT_MEMORY, LIMIT_FILE, LIMIT_STACK,
    RETURNS = 32, RETURNS_END = 64
};

extern volatile uint64_t __logca_trace_state[];
extern const uint64_t __logca_trace_state_bytes;
extern char __executable_start, etext;
extern char **environ;

static int full_chunks, free_chunks;
static int private_copy;
static char signal_stack[65536];
static volatile int flushing;
static uint64_t scratch[8192]; /* longer than a stretch of records */

static void limit(int resource, uint64_t value) {
    struct rlimit now;
    if (getrlimit(resource, &now)) return;
    if (now.rlim_max != RLIM_INFINITY && value > now.rlim_max) value = now.rlim_max;
    now.rlim_cur = value;
    if (resource != RLIMIT_STACK && resource != RLIMIT_CPU) now.rlim_max = value;
    setrlimit(resource, &now);
}

/* Where it happened, and which words on the stack could be return addresses into the program:
 * the C library keeps no frame pointers, so the reader picks by looking at the code before them. */
static void remember(int number, siginfo_t *info, void *context) {
    ucontext_t *at = context;
    uint64_t low = (uint64_t)&__executable_start, high = (uint64_t)&etext;
#if defined(__x86_64__)
    uint64_t pc = at->uc_mcontext.gregs[REG_RIP], sp = at->uc_mcontext.gregs[REG_RSP];
    uint64_t link = 0;
#elif defined(__aarch64__)
    uint64_t pc = at->uc_mcontext.pc, sp = at->uc_mcontext.sp, link = at->uc_mcontext.regs[30];
#else
    uint64_t pc = 0, sp = 0, link = 0;
    (void)at;
#endif
    if (!__logca_trace_state[SIGNAL]) {
        __logca_trace_state[SIGNAL] = number;
        __logca_trace_state[PC] = pc;
        __logca_trace_state[ADDRESS] = (uint64_t)info->si_addr;
        __logca_trace_state[STACK_POINTER] = sp;
        int found = RETURNS;
        if (link) __logca_trace_state[found++] = link;
        uint64_t top = __logca_trace_state[STACK_TOP];
        int on_stack = sp < top && top - sp < __logca_trace_state[STACK_LIMIT];
        uint64_t end = top - sp < 65536 ? top : sp + 65536;
        for (uint64_t word = sp & ~7ull; on_stack && word < end && found < RETURNS_END; word += 8) {
            uint64_t value = *(uint64_t *)word;
            if (value > low && value < high) __logca_trace_state[found++] = value;
        }
    }
    /* The handler is reset: a fault happens again and ends the program as it would have ended,
     * and so does a signal that somebody sent. */
    if (info->si_code <= 0 || number == SIGXCPU || number == SIGXFSZ) raise(number);
}

static void watch_signals(void) {
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS,
                                SIGTERM, SIGXCPU, SIGXFSZ};
    stack_t stack = {.ss_sp = signal_stack, .ss_size = sizeof signal_stack};
    sigaltstack(&stack, 0);
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = remember;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND | SA_NODEFER;
    for (unsigned i = 0; i < sizeof fatal / sizeof *fatal; i++) sigaction(fatal[i], &action, 0);
}

/* A copy of the program made by fork() goes on alone: it must not write what the reader reads, and
 * has no such memory. One that is made around fork(), by a system call, ends at its first record. */
static uint64_t header[RETURNS_END];

static void remember_header(void) {
    __logca_trace_state[COPIES]++; /* by whatever way fork() was reached */
    for (int i = 0; i < RETURNS_END; i++) header[i] = __logca_trace_state[i];
}

static void become_private(void) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, access = PROT_READ | PROT_WRITE;
    mmap((void *)__logca_trace_state, __logca_trace_state_bytes, access, flags, -1, 0);
    mmap((void *)header[RING], header[CHUNK_BYTES] * header[CHUNKS], access, flags, -1, 0);
    for (int i = 0; i < RETURNS_END; i++) __logca_trace_state[i] = header[i];
    private_copy = 1;
    close(full_chunks);
    close(free_chunks);
}

/* A copy by vfork() would share all memory with the program until it ends. */
pid_t vfork(void) { return fork(); }

/* The descriptors of the ring and of its two pipes come in the last variable of the environment,
 * which is taken out before the program can see it. */
static int take_descriptors(int descriptors[3]) {
    for (char **entry = environ; entry && *entry; entry++)
        if (!strncmp(*entry, "LOGCA_TRACE=", 12)) {
            char *text = *entry + 12;
            for (int i = 0; i < 3; i++) descriptors[i] = (int)strtol(text, &text, 10), text++;
            for (; *entry; entry++) entry[0] = entry[1];
            return 1;
        }
    return 0;
}

static uint64_t pages_in_use(void) {
    char text[64] = {0};
    int file = open("/proc/self/statm", O_RDONLY);
    if (file < 0 || read(file, text, sizeof text - 1) < 0) return 0;
    close(file);
    return strtoull(text, 0, 10);
}

static void connect_reader(const int descriptors[3]) {
    int access = PROT_READ | PROT_WRITE, ring = descriptors[0];
    mmap((void *)__logca_trace_state, __logca_trace_state_bytes, access, MAP_SHARED | MAP_FIXED,
         ring, 0);
    uint64_t bytes = __logca_trace_state[CHUNK_BYTES] * __logca_trace_state[CHUNKS];
    __logca_trace_state[RING] =
        (uint64_t)mmap(0, bytes, access, MAP_SHARED, ring, __logca_trace_state_bytes);
    close(ring);
    full_chunks = descriptors[1];
    free_chunks = descriptors[2];
    fcntl(full_chunks, F_SETFD, FD_CLOEXEC);
    fcntl(free_chunks, F_SETFD, FD_CLOEXEC);
    madvise((void *)__logca_trace_state, __logca_trace_state_bytes, MADV_DONTFORK);
    madvise((void *)__logca_trace_state[RING], bytes, MADV_DONTFORK);
    pthread_atfork(remember_header, 0, become_private);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    uint64_t used = pages_in_use() * (uint64_t)sysconf(_SC_PAGESIZE);
    if (used > __logca_trace_state[LIMIT_MEMORY] + bytes) {
        __logca_trace_state[TOO_LARGE] = 1;
        _exit(127);
    }
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_STACK, __logca_trace_state[LIMIT_STACK]);
    limit(RLIMIT_CPU, __logca_trace_state[LIMIT_CPU]);
    limit(RLIMIT_AS, __logca_trace_state[LIMIT_MEMORY] + bytes);
    limit(RLIMIT_FSIZE, __logca_trace_state[LIMIT_FILE]);
}

/* Run on its own, without a reader, the program records into one chunk over and over. */
static void go_alone(void) {
    __logca_trace_state[CHUNK_BYTES] = 1 << 20;
    __logca_trace_state[CHUNKS] = 1;
    __logca_trace_state[RING] = (uint64_t)mmap(0, 1 << 20, PROT_READ | PROT_WRITE,
                                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    private_copy = 1;
}

static void begin_chunk(void) {
    uint64_t chunk = __logca_trace_state[HANDED] % __logca_trace_state[CHUNKS];
    uint64_t start = __logca_trace_state[RING] + chunk * __logca_trace_state[CHUNK_BYTES];
    __logca_trace_state[CURSOR] = start;
    __logca_trace_state[END] = start + __logca_trace_state[CHUNK_BYTES];
}

__attribute__((constructor(101))) static void begin(void) {
    int descriptors[3];
    if (__logca_trace_state[READY]) return;
    if (take_descriptors(descriptors)) connect_reader(descriptors);
    else go_alone();
    struct rlimit stack;
    getrlimit(RLIMIT_STACK, &stack);
    __logca_trace_state[STACK_TOP] = (uint64_t)environ;
    __logca_trace_state[STACK_LIMIT] = stack.rlim_cur;
    watch_signals();
    begin_chunk();
    __logca_trace_state[READY] = 1;
}

static void write_nowhere(void) {
    __logca_trace_state[CURSOR] = (uint64_t)scratch;
    __logca_trace_state[END] = (uint64_t)(scratch + sizeof scratch / sizeof *scratch);
}

/* Called when a run of records does not fit into the chunk. It keeps all registers, so that the
 * instrumented code has nothing to save around a call that it hardly ever makes. */
__attribute__((preserve_all, noinline)) void __logca_trace_flush(void) {
    int error = errno;
    /* before `begin` a resolver of the linker may run, or a function in .preinit_array */
    if (!__logca_trace_state[READY] || __logca_trace_state[ASIDE]) {
        write_nowhere();
        return;
    }
    flushing = 1;
    if (!private_copy && !__logca_trace_state[STOP]) {
        uint64_t chunk = __logca_trace_state[HANDED] % __logca_trace_state[CHUNKS];
        uint64_t start = __logca_trace_state[RING] + chunk * __logca_trace_state[CHUNK_BYTES];
        uint64_t records = (__logca_trace_state[CURSOR] - start) / 8;
        ssize_t done;
        char token;
        __logca_trace_state[HANDED]++;
        do done = write(full_chunks, &records, sizeof records);
        while (done < 0 && errno == EINTR);
        if (done == sizeof records)
            do done = read(free_chunks, &token, 1);
            while (done < 0 && errno == EINTR);
        if (done < 0 && errno == EBADF) {
            /* the program has closed all descriptors that it did not open: it goes on alone */
            __logca_trace_state[CLOSED] = 1;
            private_copy = 1;
        } else if (done <= 0) kill(getpid(), SIGKILL); /* the reader is gone */
    }
    begin_chunk();
    flushing = 0;
    errno = error;
}

/* Room for a run of records, as large programs ask for it: a check in place of each call would be a
 * third of their code. */
uint64_t *__logca_trace_room(uint64_t records) {
    if (__logca_trace_state[CURSOR] + 8 * records > __logca_trace_state[END]) __logca_trace_flush();
    return (uint64_t *)__logca_trace_state[CURSOR];
}

static void *noted(void *memory, size_t bytes) {
    if (!memory && bytes) __logca_trace_state[REFUSED]++;
    return memory;
}

/* Calls of the program to these functions of the C library are renamed to the following, so that
 * the reader learns of memory that was refused. */
void *__logca_trace_malloc(size_t bytes) { return noted(malloc(bytes), bytes); }
void *__logca_trace_calloc(size_t n, size_t bytes) { return noted(calloc(n, bytes), n && bytes); }
void *__logca_trace_realloc(void *old, size_t bytes) { return noted(realloc(old, bytes), bytes); }
void *__logca_trace_aligned_alloc(size_t to, size_t bytes) {
    return noted(aligned_alloc(to, bytes), bytes);
}
int __logca_trace_posix_memalign(void **memory, size_t to, size_t bytes) {
    int error = posix_memalign(memory, to, bytes);
    if (error == ENOMEM) __logca_trace_state[REFUSED]++;
    return error;
}

/* The C library makes these in /tmp by name, where a contained program must not write. */
FILE *__logca_trace_tmpfile(void) {
    const char *folder = getenv("TMPDIR");
    int file = open(folder ? folder : P_tmpdir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    return file < 0 ? tmpfile() : fdopen(file, "w+");
}
FILE *__logca_trace_tmpfile64(void) { return __logca_trace_tmpfile(); }

/* The records of two threads would have no order. */
static int refuse_thread(void *from) {
    __logca_trace_state[THREADS] = 1;
    __logca_trace_state[PC] = (uint64_t)from;
    kill(getpid(), SIGKILL);
    return 1;
}

int __logca_trace_pthread_create(void) { return refuse_thread(__builtin_return_address(0)); }
int __logca_trace_thrd_create(void) { return refuse_thread(__builtin_return_address(0)); }

/* A signal may come while the program writes a run of records, which becomes valid at its end: what
 * the handler would record in between goes nowhere. A signal that the program sends to itself comes
 * while it calls the library, and no run goes on over such a call. */
static struct sigaction handlers[_NSIG];

static int sent_by_itself(const siginfo_t *info) {
    int code = info->si_code;
    if (code != SI_USER && code != SI_TKILL && code != SI_QUEUE) return 0;
    return info->si_pid == getpid() && !flushing;
}

static void resume_records(void) {
    if (!__logca_trace_state[ASIDE]) return;
    __logca_trace_state[CURSOR] = __logca_trace_state[LAST_CURSOR];
    __logca_trace_state[END] = __logca_trace_state[LAST_END];
    __logca_trace_state[ASIDE] = 0;
}

static void handle(int number, siginfo_t *info, void *context) {
    struct sigaction action = handlers[number];
    int aside = __logca_trace_state[READY] && !__logca_trace_state[ASIDE] && !sent_by_itself(info);
    if (aside) {
        __logca_trace_state[LAST_CURSOR] = __logca_trace_state[CURSOR];
        __logca_trace_state[LAST_END] = __logca_trace_state[END];
        __logca_trace_state[ASIDE] = 1;
        __logca_trace_state[HANDLED]++;
        write_nowhere();
    }
    if (action.sa_flags & SA_SIGINFO) action.sa_sigaction(number, info, context);
    else action.sa_handler(number);
    if (aside) resume_records();
}

int __logca_trace_sigaction(int number, const struct sigaction *action, struct sigaction *old) {
    if (number < 1 || number >= _NSIG) return sigaction(number, action, old);
    struct sigaction before = handlers[number], mine, was;
    if (action) {
        mine = *action;
        if (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN) {
            handlers[number] = *action;
            mine.sa_sigaction = handle;
            mine.sa_flags |= SA_SIGINFO;
        }
    }
    if (sigaction(number, action ? &mine : 0, &was)) {
        handlers[number] = before;
        return -1;
    }
    if (was.sa_sigaction == handle) was = before;
    if (was.sa_sigaction == remember) {
        memset(&was, 0, sizeof was);
        was.sa_handler = SIG_DFL;
    }
    if (old) *old = was;
    return 0;
}

static sighandler_t set_handler(int number, sighandler_t handler, int flags) {
    struct sigaction action, old;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    action.sa_flags = flags;
    return __logca_trace_sigaction(number, &action, &old) ? SIG_ERR : old.sa_handler;
}

sighandler_t __logca_trace_signal(int number, sighandler_t handler) {
    return set_handler(number, handler, SA_RESTART);
}
sighandler_t __logca_trace___sysv_signal(int number, sighandler_t handler) {
    return set_handler(number, handler, SA_RESETHAND | SA_NODEFER);
}

/* A jump out of a handler. */
void __logca_trace_longjmp(jmp_buf place, int value) { resume_records(); longjmp(place, value); }
void __logca_trace__longjmp(jmp_buf place, int value) { resume_records(); longjmp(place, value); }
void __logca_trace_siglongjmp(sigjmp_buf place, int value) {
    resume_records();
    siglongjmp(place, value);
}
