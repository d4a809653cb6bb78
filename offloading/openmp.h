/* Put before the sources of a program whose loops run on several cores: clocks around the loops.
 * The threads are there before a clock starts, as the context of a GPU is before its first kernel. */
#ifndef LOGCA_OPENMP_H
#define LOGCA_OPENMP_H

int logca_loop_entered(int loop);
int logca_loop_left(int loop);

#define LOGCA_TIMED(loop) \
    for (int logca_inside = logca_loop_entered(loop); logca_inside; \
         logca_inside = logca_loop_left(loop))

#endif
