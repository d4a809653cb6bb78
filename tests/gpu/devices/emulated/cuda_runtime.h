// The part of CUDA that gpu/devices/calibrate.cu uses, on the host: threads of a launch run one
// after the other, a cycle is a nanosecond, and the GPU is one of compute capability 8.9.
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define __global__
#define __device__
#define __shared__ static
#define LAUNCH(kernel, blocks, threads, ...)                                         \
    do {                                                                             \
        gridDim.x = (blocks), blockDim.x = (threads);                                \
        for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++)                   \
            for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++)           \
                kernel(__VA_ARGS__);                                                 \
    } while (0)

struct dim3 { unsigned x; };
struct float4 { float x, y, z, w; };
struct cudaDeviceProp { char name[256]; int major, minor; };
enum cudaError_t { cudaSuccess };
enum cudaDeviceAttr { cudaDevAttrMultiProcessorCount, cudaDevAttrL2CacheSize };
enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost };
typedef long long *cudaEvent_t;

static dim3 gridDim, blockDim, blockIdx, threadIdx;

static long long clock64(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000ll + now.tv_nsec;
}
static float4 make_float4(float x, float y, float z, float w) { float4 v = {x, y, z, w}; return v; }
template <typename T> static T __ldcg(const T *at) { return *at; }
static const char *cudaGetErrorString(cudaError_t) { return "no error"; }
static cudaError_t cudaGetLastError(void) { return cudaSuccess; }
static cudaError_t cudaDeviceSynchronize(void) { return cudaSuccess; }
static cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr which, int) {
    *value = which == cudaDevAttrL2CacheSize ? 65536 : 2;
    return cudaSuccess;
}
static cudaError_t cudaGetDeviceProperties(cudaDeviceProp *found, int) {
    strcpy(found->name, "Host, as a GPU");
    found->major = 8, found->minor = 9;
    return cudaSuccess;
}
static cudaError_t cudaMalloc(void **at, size_t bytes) { *at = calloc(1, bytes); return cudaSuccess; }
static cudaError_t cudaMemset(void *at, int value, size_t bytes) {
    memset(at, value, bytes);
    return cudaSuccess;
}
static cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind) {
    memcpy(to, from, bytes);
    return cudaSuccess;
}
static cudaError_t cudaEventCreate(cudaEvent_t *event) {
    *event = (cudaEvent_t)malloc(sizeof **event);
    return cudaSuccess;
}
static cudaError_t cudaEventRecord(cudaEvent_t event, int) { *event = clock64(); return cudaSuccess; }
static cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
static cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t from, cudaEvent_t to) {
    *ms = (float)((*to - *from) / 1e6);
    return cudaSuccess;
}
