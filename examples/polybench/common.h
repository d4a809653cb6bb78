/* What the kernels share: the element type, the input data and the printed result. */
#ifndef LOGCA_EXAMPLES_POLYBENCH_COMMON_H
#define LOGCA_EXAMPLES_POLYBENCH_COMMON_H

#include <stddef.h>
#include <stdio.h>

#ifndef DATA_TYPE
#define DATA_TYPE float
#endif

/* A reproducible value in [-0.5, 0.5), a multiple of 2^-16. Neighbours are uncorrelated, so that
   matrices of them are well conditioned and sums stay small. */
static inline DATA_TYPE sample(unsigned seed, unsigned row, unsigned column)
{
    unsigned bits = seed * 2654435761u + row * 2246822519u + column * 3266489917u;
    bits = (bits ^ (bits >> 15)) * 2246822519u;
    bits = (bits ^ (bits >> 13)) * 3266489917u;
    return (DATA_TYPE)(bits >> 16) / (DATA_TYPE)65536 - (DATA_TYPE)0.5;
}

static inline void fill(unsigned seed, DATA_TYPE *values, size_t rows, size_t columns)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++)
            values[i * columns + j] = sample(seed, (unsigned)i, (unsigned)j);
}

static inline void print_values(const char *when, const char *name, const DATA_TYPE *values,
                                size_t count)
{
    printf("%s %s %zu\n", when, name, count);
    for (size_t i = 0; i < count; i++)
        printf("%.9g\n", (double)values[i]);
}

/* Silent unless PRINT_RESULTS asks for the arrays as they are before the kernel. */
static inline void input(const char *name, const DATA_TYPE *values, size_t count)
{
#ifdef PRINT_RESULTS
    print_values("input", name, values, count);
#else
    (void)name, (void)values, (void)count;
#endif
}

/* Every result is read here, so that no compiler may drop the work that led to it. */
static inline void result(const char *name, const DATA_TYPE *values, size_t count)
{
    double checksum = 0;
    for (size_t i = 0; i < count; i++)
        checksum += (double)values[i] * (double)(1 + i % 7);
#ifdef PRINT_RESULTS
    print_values("result", name, values, count);
#endif
    printf("checksum %s %.9g\n", name, checksum);
}

#endif
