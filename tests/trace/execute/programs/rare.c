/* Corners that compilers handle in places of their own: assembly code that jumps, functions without
 * a frame or for another machine, code before the first constructor, descriptors that are closed. */
#include <stdio.h>
#include <unistd.h>

static int early[8];
static const char trap[] = "} define void @__logca_trace_flush() %.logca.x \"c\"";

static void before_all(void) {
    for (int i = 0; i < 8; i++) early[i] += i;
}
__attribute__((section(".preinit_array"), used)) static void (*const first)(void) = before_all;

static int times_three(int x) { return 3 * x; }
static int (*resolve(void))(int) {
    early[0] += 5;
    return times_three;
}
int resolved(int x) __attribute__((ifunc("resolve")));

#ifdef __x86_64__
#include <immintrin.h>
static float in[32], out[32];

__attribute__((naked)) static int without_frame(void) { __asm__("movl $41, %eax\n\tret"); }

__attribute__((target("avx"))) static void wide(void) {
    for (int i = 0; i < 32; i += 8) {
        __m256 x = _mm256_loadu_ps(in + i);
        _mm256_storeu_ps(out + i, _mm256_hadd_ps(x, x));
    }
}

static int jumps(int x) {
    __asm__ goto("test %0, %0\n\tjnz %l1 # )" : : "r"(x) : "cc" : other);
    early[1]++;
    return 1;
other:
    early[2]++;
    return 2;
}
#else
static int without_frame(void) { return 41; }
static int jumps(int x) { return x ? 2 : 1; }
#endif

int main(void) {
    int sum = 0;
    for (int i = 0; i < 4; i++) sum = 10 * sum + jumps(i & 1) + without_frame() + resolved(i);
    for (unsigned i = 0; i < sizeof trap; i++) sum += trap[i];
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx")) {
        for (int i = 0; i < 32; i++) in[i] = i;
        wide();
        sum += (int)out[13];
    }
#endif
    for (int i = 0; i < 8; i++) sum += early[i];
    printf("%d\n", sum);
    return 0;
}
