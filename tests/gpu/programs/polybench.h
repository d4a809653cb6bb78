/* A small stand-in for the headers that benchmark suites bring along: array declarations on the
   heap (or, with POLYBENCH_STACK_ARRAYS, static), loop bounds, a guard against dead code. */
#ifndef POLYBENCH_H
#define POLYBENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef DATA_TYPE
#define DATA_TYPE float
#define DATA_PRINTF_MODIFIER "%0.4f "
#endif

#ifdef POLYBENCH_USE_SCALAR_LB
#define POLYBENCH_LOOP_BOUND(constant, parameter) (constant)
#else
#define POLYBENCH_LOOP_BOUND(constant, parameter) (parameter)
#endif

#define POLYBENCH_1D(var, d1) var[d1]
#define POLYBENCH_2D(var, d1, d2) var[d1][d2]
#define POLYBENCH_3D(var, d1, d2, d3) var[d1][d2][d3]

#ifdef POLYBENCH_STACK_ARRAYS
#define POLYBENCH_ARRAY(var) var
#define POLYBENCH_1D_ARRAY_DECL(var, type, d1) static type var[d1]
#define POLYBENCH_2D_ARRAY_DECL(var, type, d1, d2) static type var[d1][d2]
#define POLYBENCH_3D_ARRAY_DECL(var, type, d1, d2, d3) static type var[d1][d2][d3]
#define POLYBENCH_FREE_ARRAY(var)
#else
#define POLYBENCH_ARRAY(var) *var
#define POLYBENCH_1D_ARRAY_DECL(var, type, d1) \
    type(*var)[d1] = (type(*)[d1])polybench_alloc_data(d1, sizeof(type))
#define POLYBENCH_2D_ARRAY_DECL(var, type, d1, d2) \
    type(*var)[d1][d2] = (type(*)[d1][d2])polybench_alloc_data((size_t)(d1) * (d2), sizeof(type))
#define POLYBENCH_3D_ARRAY_DECL(var, type, d1, d2, d3)             \
    type(*var)[d1][d2][d3] = (type(*)[d1][d2][d3])polybench_alloc_data( \
        (size_t)(d1) * (d2) * (d3), sizeof(type))
#define POLYBENCH_FREE_ARRAY(var) free((void *)var)
#endif

#define polybench_start_instruments
#define polybench_stop_instruments
#define polybench_print_instruments

#ifdef POLYBENCH_DUMP_ARRAYS
#define polybench_prevent_dce(call) call
#else
#define polybench_prevent_dce(call)          \
    if (argc > 42 && !strcmp(argv[0], "")) { \
        call;                                \
    }
#endif

static inline void *polybench_alloc_data(size_t elements, size_t size)
{
    void *data = malloc(elements * size);
    if (data == NULL) {
        fprintf(stderr, "cannot allocate %zu elements of %zu bytes\n", elements, size);
        exit(1);
    }
    return data;
}

#endif
