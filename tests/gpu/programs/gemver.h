/* Sizes of gemver, chosen by a data set's name. */
#ifndef GEMVER_H
#define GEMVER_H

#if !defined(MINI_DATASET) && !defined(SMALL_DATASET) && !defined(N)
#define MINI_DATASET
#endif

#ifdef MINI_DATASET
#define N 40
#elif defined(SMALL_DATASET)
#define N 120
#endif

#define _PB_N POLYBENCH_LOOP_BOUND(N, n)

#endif
