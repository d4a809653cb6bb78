/* What the tools share: reproducible inputs, digests, and what to do when something is wrong. */
#ifndef LOGCA_EXAMPLES_PARTITION_TOOLBOX_COMMON_H
#define LOGCA_EXAMPLES_PARTITION_TOOLBOX_COMMON_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of 24 bits from a congruential generator, below a bound. */
static uint32_t draw(uint32_t *state, uint32_t below)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % below;
}

/* FNV-1a, 32 bits, from HASH on. */
#define HASH 2166136261u

static uint32_t hash_bytes(uint32_t hash, const void *bytes, size_t count)
{
    const uint8_t *at = bytes;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ at[i]) * 16777619u;
    return hash;
}

/* The four bytes of a word, lowest first, on every machine. */
static uint32_t hash_word(uint32_t hash, uint32_t word)
{
    for (int i = 0; i < 4; i++, word >>= 8)
        hash = (hash ^ (word & 255)) * 16777619u;
    return hash;
}

static void fail(const char *complaint)
{
    fprintf(stderr, "toolbox: %s\n", complaint);
    exit(1);
}

#define CHECK(right, complaint)                                                                    \
    do {                                                                                           \
        if (!(right))                                                                              \
            fail(complaint);                                                                       \
    } while (0)

/* Inputs and long results are shown in hexadecimal digits, and only if -DPRINT_INPUTS asks. */
static void show(const char *name, const void *bytes, size_t count)
{
#ifdef PRINT_INPUTS
    const uint8_t *at = bytes;
    printf("%s ", name);
    for (size_t i = 0; i < count; i++)
        printf("%02x", at[i]);
    printf("\n");
#else
    (void)name, (void)bytes, (void)count;
#endif
}

#endif
