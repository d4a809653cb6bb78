$head

#ifndef $guard
#define $guard

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What $variable says: 1 always, -1 never, 0 nothing.
static inline int ${prefix}environment(void)
{
    const char *const text = getenv("$variable");
    if (text == NULL || text[0] == '\0' || strcmp(text, "auto") == 0) {
        return 0;
    }
    if (strcmp(text, "always") == 0) {
        return 1;
    }
    if (strcmp(text, "never") == 0) {
        return -1;
    }
    fprintf(stderr, "$variable=%s is ignored: it is none of always, never and auto\n", text);
    return 0;
}

// Threads that ask at the same time may all read it, and find the same.
static inline int ${prefix}override(void)
{
    enum { unread = 2 };
#if defined(__GNUC__)
    static int setting = unread;
    int found = __atomic_load_n(&setting, __ATOMIC_RELAXED);
    if (found == unread) {
        found = ${prefix}environment();
        __atomic_store_n(&setting, found, __ATOMIC_RELAXED);
    }
#else
    static volatile int setting = unread;
    int found = setting;
    if (found == unread) {
        found = ${prefix}environment();
        setting = found;
    }
#endif
    return found;
}

$comment
static inline bool ${prefix}should_offload($parameters)
{
    if (${prefix}override() != 0) {
        return ${prefix}override() > 0;
    }
$body
}

$hysteresis_comment
static inline bool ${prefix}should_offload_from($parameters, bool offloading)
{
    if (${prefix}override() != 0) {
        return ${prefix}override() > 0;
    }
$body_from
}

#endif
