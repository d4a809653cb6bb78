/* OpenMP's functions for a program that runs on one thread, without a device.

   Programs that call them compile and link without a library of OpenMP. What OpenMP 5.2 lays down
   for a team of one thread is what they answer; locks are free, and clocks are real. */
#ifndef LOGCA_OMP_H
#define LOGCA_OMP_H

/* no header of the C library: their names are the program's, which may have others of its own */
#include <stddef.h>
#include <stdint.h>

#define LOGCA_OMP static __inline__ __attribute__((always_inline, nodebug, unused))

typedef struct {
    int held;
} omp_lock_t;
typedef struct {
    int depth;
} omp_nest_lock_t;
typedef int omp_sync_hint_t, omp_lock_hint_t;
typedef enum {
    omp_sched_static = 1,
    omp_sched_dynamic = 2,
    omp_sched_guided = 3,
    omp_sched_auto = 4,
    omp_sched_monotonic = (int)0x80000000u
} omp_sched_t;
typedef enum {
    omp_proc_bind_false = 0,
    omp_proc_bind_true = 1,
    omp_proc_bind_master = 2,
    omp_proc_bind_primary = 2,
    omp_proc_bind_close = 3,
    omp_proc_bind_spread = 4
} omp_proc_bind_t;
typedef uintptr_t omp_allocator_handle_t;
enum {
    omp_sync_hint_none = 0,
    omp_lock_hint_none = 0,
    omp_initial_device = -1,
    omp_invalid_device = -10,
    omp_null_allocator = 0,
    omp_default_mem_alloc = 1
};

/* threads */
LOGCA_OMP void omp_set_num_threads(int n) { (void)n; }
LOGCA_OMP int omp_get_num_threads(void) { return 1; }
LOGCA_OMP int omp_get_max_threads(void) { return 1; }
LOGCA_OMP int omp_get_thread_num(void) { return 0; }
LOGCA_OMP int omp_get_num_procs(void) { return 1; }
LOGCA_OMP int omp_in_parallel(void) { return 0; }
LOGCA_OMP void omp_set_dynamic(int on) { (void)on; }
LOGCA_OMP int omp_get_dynamic(void) { return 0; }
LOGCA_OMP void omp_set_nested(int on) { (void)on; }
LOGCA_OMP int omp_get_nested(void) { return 0; }
LOGCA_OMP int omp_get_cancellation(void) { return 0; }
LOGCA_OMP void omp_set_schedule(omp_sched_t kind, int chunk) { (void)kind, (void)chunk; }
LOGCA_OMP void omp_get_schedule(omp_sched_t *kind, int *chunk)
{
    *kind = omp_sched_static;
    *chunk = 0;
}
LOGCA_OMP int omp_get_thread_limit(void) { return 1; }
LOGCA_OMP int omp_get_supported_active_levels(void) { return 1; }
LOGCA_OMP void omp_set_max_active_levels(int levels) { (void)levels; }
LOGCA_OMP int omp_get_max_active_levels(void) { return 0; }
LOGCA_OMP int omp_get_level(void) { return 0; }
LOGCA_OMP int omp_get_active_level(void) { return 0; }
LOGCA_OMP int omp_get_ancestor_thread_num(int level) { return level ? -1 : 0; }
LOGCA_OMP int omp_get_team_size(int level) { return level ? -1 : 1; }
LOGCA_OMP int omp_in_final(void) { return 1; }
LOGCA_OMP omp_proc_bind_t omp_get_proc_bind(void) { return omp_proc_bind_false; }
LOGCA_OMP int omp_get_num_places(void) { return 0; }
LOGCA_OMP int omp_get_place_num(void) { return -1; }
LOGCA_OMP int omp_get_num_teams(void) { return 1; }
LOGCA_OMP int omp_get_team_num(void) { return 0; }
LOGCA_OMP void omp_set_num_teams(int n) { (void)n; }
LOGCA_OMP int omp_get_max_teams(void) { return 1; }
LOGCA_OMP int omp_get_max_task_priority(void) { return 0; }

/* devices: the host is the only one */
LOGCA_OMP int omp_get_num_devices(void) { return 0; }
LOGCA_OMP int omp_get_initial_device(void) { return 0; }
LOGCA_OMP int omp_get_default_device(void) { return 0; }
LOGCA_OMP void omp_set_default_device(int device) { (void)device; }
LOGCA_OMP int omp_get_device_num(void) { return 0; }
LOGCA_OMP int omp_is_initial_device(void) { return 1; }
LOGCA_OMP void *omp_target_alloc(size_t size, int device)
{
    (void)device;
    return __builtin_malloc(size);
}
LOGCA_OMP void omp_target_free(void *pointer, int device)
{
    (void)device;
    __builtin_free(pointer);
}
LOGCA_OMP int omp_target_is_present(const void *pointer, int device)
{
    (void)pointer, (void)device;
    return 1;
}
LOGCA_OMP int omp_target_memcpy(void *to, const void *from, size_t length, size_t to_offset,
                                size_t from_offset, int to_device, int from_device)
{
    (void)to_device, (void)from_device;
    __builtin_memcpy((char *)to + to_offset, (const char *)from + from_offset, length);
    return 0;
}
LOGCA_OMP void *omp_get_mapped_ptr(const void *pointer, int device)
{
    (void)device;
    return (void *)pointer;
}

/* memory */
LOGCA_OMP void *omp_alloc(size_t size, omp_allocator_handle_t allocator)
{
    (void)allocator;
    return __builtin_malloc(size);
}
LOGCA_OMP void omp_free(void *pointer, omp_allocator_handle_t allocator)
{
    (void)allocator;
    __builtin_free(pointer);
}

/* locks: nobody waits for one */
LOGCA_OMP void omp_init_lock(omp_lock_t *lock) { (void)lock; }
LOGCA_OMP void omp_init_lock_with_hint(omp_lock_t *lock, omp_sync_hint_t hint)
{
    (void)lock, (void)hint;
}
LOGCA_OMP void omp_destroy_lock(omp_lock_t *lock) { (void)lock; }
LOGCA_OMP void omp_set_lock(omp_lock_t *lock) { (void)lock; }
LOGCA_OMP void omp_unset_lock(omp_lock_t *lock) { (void)lock; }
LOGCA_OMP int omp_test_lock(omp_lock_t *lock)
{
    (void)lock;
    return 1;
}
LOGCA_OMP void omp_init_nest_lock(omp_nest_lock_t *lock) { lock->depth = 0; }
LOGCA_OMP void omp_init_nest_lock_with_hint(omp_nest_lock_t *lock, omp_sync_hint_t hint)
{
    (void)hint;
    lock->depth = 0;
}
LOGCA_OMP void omp_destroy_nest_lock(omp_nest_lock_t *lock) { (void)lock; }
LOGCA_OMP void omp_set_nest_lock(omp_nest_lock_t *lock) { lock->depth++; }
LOGCA_OMP void omp_unset_nest_lock(omp_nest_lock_t *lock) { lock->depth--; }
LOGCA_OMP int omp_test_nest_lock(omp_nest_lock_t *lock) { return ++lock->depth; }

/* clocks [s]; POSIX's, which headers do not declare where -std=c99 is asked for */
extern int logca_omp_clock(int clock, long *now) __asm__("clock_gettime");
LOGCA_OMP double omp_get_wtime(void)
{
    long now[2]; /* seconds and nanoseconds */
    logca_omp_clock(1, now);
    return (double)now[0] + 1e-9 * (double)now[1];
}
LOGCA_OMP double omp_get_wtick(void) { return 1e-9; }

#undef LOGCA_OMP
#endif
