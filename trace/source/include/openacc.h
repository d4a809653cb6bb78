/* OpenACC's functions for a program that runs on one thread, where the host is the device. */
#ifndef LOGCA_OPENACC_H
#define LOGCA_OPENACC_H

#include <stddef.h>

#define LOGCA_ACC static __inline__ __attribute__((always_inline, nodebug, unused))

typedef enum {
    acc_device_current = -1,
    acc_device_none = 0,
    acc_device_default = 1,
    acc_device_host = 2,
    acc_device_not_host = 4,
    acc_device_nvidia = 5,
    acc_device_radeon = 8
} acc_device_t;
enum { acc_async_noval = -1, acc_async_sync = -2, acc_async_default = -3 };

LOGCA_ACC void acc_init(acc_device_t type) { (void)type; }
LOGCA_ACC void acc_shutdown(acc_device_t type) { (void)type; }
LOGCA_ACC int acc_get_num_devices(acc_device_t type) { return type == acc_device_host; }
LOGCA_ACC void acc_set_device_type(acc_device_t type) { (void)type; }
LOGCA_ACC acc_device_t acc_get_device_type(void) { return acc_device_host; }
LOGCA_ACC void acc_set_device_num(int number, acc_device_t type) { (void)number, (void)type; }
LOGCA_ACC int acc_get_device_num(acc_device_t type)
{
    (void)type;
    return 0;
}
LOGCA_ACC int acc_on_device(acc_device_t type) { return type == acc_device_host; }
LOGCA_ACC void acc_wait(int queue) { (void)queue; }
LOGCA_ACC void acc_wait_all(void) { }
LOGCA_ACC int acc_async_test(int queue)
{
    (void)queue;
    return 1;
}
LOGCA_ACC int acc_async_test_all(void) { return 1; }
LOGCA_ACC void *acc_malloc(size_t size) { return __builtin_malloc(size); }
LOGCA_ACC void acc_free(void *pointer) { __builtin_free(pointer); }
LOGCA_ACC void *acc_copyin(void *data, size_t size)
{
    (void)size;
    return data;
}
LOGCA_ACC void *acc_create(void *data, size_t size)
{
    (void)size;
    return data;
}
LOGCA_ACC void acc_copyout(void *data, size_t size) { (void)data, (void)size; }
LOGCA_ACC void acc_delete(void *data, size_t size) { (void)data, (void)size; }
LOGCA_ACC void acc_update_device(void *data, size_t size) { (void)data, (void)size; }
LOGCA_ACC void acc_update_self(void *data, size_t size) { (void)data, (void)size; }
LOGCA_ACC void *acc_deviceptr(void *data) { return data; }
LOGCA_ACC int acc_is_present(void *data, size_t size)
{
    (void)data, (void)size;
    return 1;
}

#undef LOGCA_ACC
#endif
