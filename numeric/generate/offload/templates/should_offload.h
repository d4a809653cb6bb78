$head

#ifndef $guard
#define $guard

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What $variable says: above which size it pays, or one of these.
#define ${macro}_NEVER SIZE_MAX
#define ${macro}_ALWAYS (SIZE_MAX - 1)
#define ${macro}_AUTO (SIZE_MAX - 2)
#define ${macro}_UNREAD (SIZE_MAX - 3)

static inline size_t ${prefix}environment(void)
{
    const char *const text = getenv("$variable");
    if (text == NULL || text[0] == '\0' || strcmp(text, "auto") == 0) {
        return ${macro}_AUTO;
    }
    if (strcmp(text, "always") == 0) {
        return ${macro}_ALWAYS;
    }
    if (strcmp(text, "never") == 0) {
        return ${macro}_NEVER;
    }
    if (text[strspn(text, "0123456789")] == '\0') {
        const unsigned long long size = strtoull(text, NULL, 10);
        if (size >= ${macro}_UNREAD) {
            return ${macro}_NEVER;
        }
        return size > 0 ? (size_t)size - 1 : 0;
    }
    fprintf(stderr,
            "$variable=%s is ignored: "
            "it is none of always, never, auto and $number\n",
            text);
    return ${macro}_AUTO;
}

// Threads that ask at the same time may all read it, and find the same.
static inline size_t ${prefix}override(void)
{
#if defined(__GNUC__)
    static size_t setting = ${macro}_UNREAD;
    size_t found = __atomic_load_n(&setting, __ATOMIC_RELAXED);
    if (found == ${macro}_UNREAD) {
        found = ${prefix}environment();
        __atomic_store_n(&setting, found, __ATOMIC_RELAXED);
    }
#else
    static volatile size_t setting = ${macro}_UNREAD;
    size_t found = setting;
    if (found == ${macro}_UNREAD) {
        found = ${prefix}environment();
        setting = found;
    }
#endif
    return found;
}

static inline bool ${prefix}within(size_t size, uint64_t above, uint64_t last)
{
    const size_t setting = ${prefix}override();
    if (setting == ${macro}_NEVER || setting == ${macro}_ALWAYS) {
        return setting == ${macro}_ALWAYS;
    }
    if (setting != ${macro}_AUTO) {
        above = setting;
    }
    return above < size && size <= last;
}

$likely_comment
static inline bool ${prefix}should_offload(size_t size)
{
    return $likely_within;
}

$hysteresis_comment
static inline bool ${prefix}should_offload_from(size_t size, bool offloading)
{
    if (offloading) {
        return $staying_within;
    }
    return $starting_within;
}

#endif
