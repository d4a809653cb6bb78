// Micro-benchmarks of one GPU, written by `logca gpu calibrate`:
//
//   nvcc -O3 -arch=native calibrate.cu -o calibrate && ./calibrate > my-gpu.txt
//   logca gpu calibrate my-gpu.txt -o my-gpu.toml
//
// Six of them: stream, L2, strides, partial stores, latency, launch. Each line of the output is a
// key of a device file, or of the GPU's properties, with its value in the base unit. They take some
// seconds, and 3 GiB of the GPU's memory or as many MiB as the first argument says.

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef LAUNCH
#define LAUNCH(kernel, blocks, threads, ...) kernel<<<blocks, threads>>>(__VA_ARGS__)
#endif

#define THREADS 256
#define MOST_THREADS 1024
#define REPEATS 20

static void check(cudaError_t status, const char *what) {
    if (status != cudaSuccess) {
        fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
        exit(1);
    }
}

#define CHECK(call) check(call, #call)

static int attribute(cudaDeviceAttr which) {
    int value = 0;
    CHECK(cudaDeviceGetAttribute(&value, which, 0));
    return value;
}

// ---- kernels; none waits for another thread -------------------------------------------------

__global__ void nothing(void) {}

__global__ void wait_cycles(long long cycles, long long *spent) {
    long long start = clock64(), now = start;
    while (now - start < cycles) now = clock64();
    *spent = now - start;
}

__global__ void triad(float4 *a, const float4 *b, const float4 *c, size_t n) {
    size_t step = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
        float4 x = b[i], y = c[i];
        a[i] = make_float4(x.x + 3 * y.x, x.y + 3 * y.y, x.z + 3 * y.z, x.w + 3 * y.w);
    }
}

// every block reads all of the buffer from L2, each from another place on, past L1
__global__ void read_l2(const float4 *a, unsigned n, int rounds, float *out) {
    float sum = 0;
    unsigned start = blockIdx.x * 2 * blockDim.x % n;
    for (int round = 0; round < rounds; round++)
        for (unsigned i = threadIdx.x; i < n; i += 4 * blockDim.x) {
            float4 v[4];
#pragma unroll
            for (int k = 0; k < 4; k++) {
                unsigned at = start + i + k * blockDim.x;
                v[k] = __ldcg(&a[at < n ? at : at - n]);
            }
#pragma unroll
            for (int k = 0; k < 4; k++) sum += v[k].x + v[k].y + v[k].z + v[k].w;
        }
    if (sum == 1.5f) *out = sum;
}

// loads that L1 may serve, and that stay where they stand
static __device__ float load_l1(const float *at) {
#ifdef __CUDA_ARCH__
    float value;
    asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(value) : "l"(at));
    return value;
#else
    return *at;
#endif
}

static __device__ unsigned long long load_l1(const unsigned long long *at) {
#ifdef __CUDA_ARCH__
    unsigned long long value;
    asm volatile("ld.global.ca.u64 %0, [%1];" : "=l"(value) : "l"(at));
    return value;
#else
    return *at;
#endif
}

// loads that hit L1: lane i of a warp reads the float at i * stride
__global__ void strided(const float *a, int stride, int rounds, long long *spent, float *out) {
    const float *at = a + (threadIdx.x % 32) * stride;
    float sum = 0;
    for (int k = 0; k < 8; k++) sum += load_l1(at + k);
    long long start = clock64();
    for (int round = 0; round < rounds; round++)
#pragma unroll
        for (int k = 0; k < 8; k++) sum += load_l1(at + k);
    long long end = clock64();
    spent[threadIdx.x] = end - start;
    if (sum == 1.5f) *out = sum;
}

// every thread stores a float; every: 1 fills sectors, 8 writes a float into each sector
__global__ void store(float *a, unsigned n, int every, int rounds) {
    unsigned threads = gridDim.x * blockDim.x;
    for (int round = 0; round < rounds; round++)
        for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n / every; i += threads)
            a[i * every] = (float)round;
}

// one thread follows a chain: each entry is the address of the next one
template <bool past_l1>
__global__ void chase(const unsigned long long *at, int warm, int steps, long long *spent,
                      unsigned long long *out) {
    for (int i = 0; i < warm; i++)
        at = (const unsigned long long *)(past_l1 ? __ldcg(at) : load_l1(at));
    long long start = clock64();
    for (int i = 0; i < steps; i++)
        at = (const unsigned long long *)(past_l1 ? __ldcg(at) : load_l1(at));
    *out = (unsigned long long)at;
    *spent = clock64() - start;
}

// the same in shared memory, where an entry is how many bytes away the next one is
__global__ void chase_shared(int steps, long long *spent, unsigned long long *out) {
    __shared__ unsigned next[256];
    for (unsigned i = 0; i < 256; i++) next[i] = (i + 33) % 256 * sizeof *next;
    unsigned at = 0;
    long long start = clock64();
    for (int i = 0; i < steps; i++) at = *(const unsigned *)((const char *)next + at);
    *out = at;
    *spent = clock64() - start;
}

// ---- what is measured -----------------------------------------------------------------------

static cudaEvent_t before, after;

static void begin(void) { CHECK(cudaEventRecord(before, 0)); }

static double seconds(void) {
    float ms = 0;
    CHECK(cudaEventRecord(after, 0));
    CHECK(cudaEventSynchronize(after));
    CHECK(cudaGetLastError());
    CHECK(cudaEventElapsedTime(&ms, before, after));
    return ms / 1e3;
}

static double least(double a, double b) { return a < b ? a : b; }

typedef unsigned long long Entry;

// A chain through so many bytes, an entry in each line of 128 B, in a random order
static size_t lay_chain(Entry *buffer, size_t bytes) {
    size_t lines = bytes / 128, apart = 128 / sizeof(Entry);
    size_t *order = (size_t *)malloc(lines * sizeof *order);
    Entry *next = (Entry *)calloc(lines, 128), random = 88172645463325252ull;
    for (size_t i = 0; i < lines; i++) order[i] = i;
    for (size_t i = lines - 1; i > 0; i--) {
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        size_t other = random % (i + 1), kept = order[i];
        order[i] = order[other], order[other] = kept;
    }
    for (size_t i = 0; i < lines; i++)
        next[order[i] * apart] = (Entry)(buffer + order[(i + 1) % lines] * apart);
    CHECK(cudaMemcpy(buffer, next, lines * 128, cudaMemcpyHostToDevice));
    free(order), free(next);
    return lines;
}

static double cycles_a_step(const long long *spent, int steps) {
    long long cycles = 0;
    CHECK(cudaMemcpy(&cycles, spent, sizeof cycles, cudaMemcpyDeviceToHost));
    return (double)cycles / steps;
}

// Cycles of a warp's load on one multiprocessor whose warps do nothing else
static double load_cycles(const float *a, int stride, int rounds, long long *spent, float *out) {
    static long long each[MOST_THREADS];
    long long longest = 0;
    LAUNCH(strided, 1, MOST_THREADS, a, stride, rounds, spent, out);
    CHECK(cudaMemcpy(each, spent, sizeof each, cudaMemcpyDeviceToHost));
    for (int i = 0; i < MOST_THREADS; i++) longest = each[i] > longest ? each[i] : longest;
    return (double)longest / (8.0 * rounds * (MOST_THREADS / 32));
}

int main(int argc, char **argv) {
    double mib = argc > 1 ? atof(argv[1]) : 3072;
    int rounds = mib < 64 ? 2 : 2000;
    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, 0));
    int sms = attribute(cudaDevAttrMultiProcessorCount), l2 = attribute(cudaDevAttrL2CacheSize);
    CHECK(cudaEventCreate(&before));
    CHECK(cudaEventCreate(&after));
    size_t n = (size_t)(mib * 1048576 / 3 / sizeof(float4));
    float4 *a, *b, *c;
    CHECK(cudaMalloc((void **)&a, n * sizeof *a));
    CHECK(cudaMalloc((void **)&b, n * sizeof *b));
    CHECK(cudaMalloc((void **)&c, n * sizeof *c));
    CHECK(cudaMemset(b, 0, n * sizeof *b));
    CHECK(cudaMemset(c, 0, n * sizeof *c));
    long long *spent;
    CHECK(cudaMalloc((void **)&spent, MOST_THREADS * sizeof *spent));

    printf("title %s\n", properties.name);
    printf("capability %d.%d\n", properties.major, properties.minor);
    printf("multiprocessors %d\n", sms);
    printf("l2_size %d\n", l2);

    // the clock under load, after a tenth of a second of it
    long long cycles = rounds * 50000ll, took = 0;
    LAUNCH(wait_cycles, sms, 1, cycles, spent);
    begin();
    LAUNCH(wait_cycles, sms, 1, cycles, spent);
    double time = seconds();
    CHECK(cudaMemcpy(&took, spent, sizeof took, cudaMemcpyDeviceToHost));
    double frequency = took / time;
    printf("frequency %.6g\n", frequency);

    // 1 stream: the best of the repeats, two arrays read and one written
    double best = 1e30;
    for (int i = 0; i < REPEATS; i++) {
        begin();
        LAUNCH(triad, sms * 8, THREADS, a, b, c, n);
        best = least(best, seconds());
    }
    printf("bandwidth %.6g\n", 3.0 * n * sizeof *a / best);

    // 2 L2: a quarter of it, so that it fits in each half where L2 is in two
    unsigned part = (unsigned)(l2 / 4 / sizeof(float4)) / (4 * THREADS) * (4 * THREADS);
    if (part > n) part = (unsigned)n / (4 * THREADS) * (4 * THREADS);
    int reads = rounds < 20 ? 1 : 20;
    LAUNCH(read_l2, sms * 4, THREADS, b, part, 1, (float *)a);
    best = 1e30;
    for (int i = 0; i < REPEATS / 4; i++) {
        begin();
        LAUNCH(read_l2, sms * 4, THREADS, b, part, reads, (float *)a);
        best = least(best, seconds());
    }
    double bytes = (double)part * sizeof *b * reads * sms * 4;
    double sectors_a_cycle = bytes / 32 / best / frequency;
    printf("l2_bandwidth %.6g\n", bytes / best / sms / frequency);
    printf("l2_slices %.0f\n", sectors_a_cycle + 0.999);

    // 3 strides: neighbours lie in one line, 33 floats apart in 33 lines and without a conflict
    double near = load_cycles((float *)b, 1, rounds, spent, (float *)a);
    double apart = load_cycles((float *)b, 33, rounds, spent, (float *)a);
    printf("load_cycles %.6g\n", near);
    printf("line_cycles %.6g\n", apart > near ? (apart - near) / 32 : 0.0);

    // 4 stores to L2: whole sectors, then lines of which one sector is written in part
    unsigned floats = (unsigned)part * 4;
    double time_of[2];
    for (int partly = 0; partly < 2; partly++) {
        int every = partly ? 32 : 1;
        LAUNCH(store, sms * 8, THREADS, (float *)a, floats, every, 1);
        begin();
        LAUNCH(store, sms * 8, THREADS, (float *)a, floats, every, rounds < 20 ? 1 : 20);
        time_of[partly] = seconds() / (floats / (partly ? 32.0 : 8.0) * (rounds < 20 ? 1 : 20));
    }
    printf("store_cycles %.6g\n", time_of[0] * frequency * sms);
    double partial = time_of[1] * frequency * sectors_a_cycle;
    printf("partial_store %.6g\n", partial > 1 ? partial : 1.0);

    // 5 latency: of L1, L2 and shared memory when all lines were visited before, of main memory
    // beyond L2 when something else was
    int steps = rounds < 20 ? 100 : 20000;
    Entry *chain = (Entry *)a, *out = (Entry *)b;
    size_t lines = lay_chain(chain, 8192);
    LAUNCH(chase<false>, 1, 1, chain, (int)lines, steps, spent, out);
    printf("latency_L1 %.6g\n", cycles_a_step(spent, steps));
    lines = lay_chain(chain, l2 / 4);
    LAUNCH(chase<true>, 1, 1, chain, (int)lines, steps, spent, out);
    double in_l2 = cycles_a_step(spent, steps);
    printf("latency_L2 %.6g\n", in_l2);
    size_t beyond = (size_t)l2 * 8 < n * sizeof *a ? (size_t)l2 * 8 : n * sizeof *a;
    lay_chain(chain, beyond);
    CHECK(cudaMemset(c, 0, n * sizeof *c));
    LAUNCH(chase<true>, 1, 1, chain, 100, steps, spent, out);
    double in_all = cycles_a_step(spent, steps);
    printf("latency_dram %.6g\n", in_all > in_l2 ? in_all - in_l2 : 0.0);
    LAUNCH(chase_shared, 1, 1, steps, spent, out);
    printf("latency_shared %.6g\n", cycles_a_step(spent, steps));

    // 6 launches: one after the other, then each waited for
    begin();
    for (int i = 0; i < rounds; i++) LAUNCH(nothing, 1, 32);
    printf("launch_overhead %.6g\n", seconds() / rounds);
    begin();
    for (int i = 0; i < rounds; i++) {
        LAUNCH(nothing, 1, 32);
        CHECK(cudaDeviceSynchronize());
    }
    printf("launch_synchronised %.6g\n", seconds() / rounds);
    return 0;
}
