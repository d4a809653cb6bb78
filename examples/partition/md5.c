/* MD5, RFC 1321 (1992).

   The four rounds are loops of sixteen steps each over the words of a block; the sines of the
   algorithm are a table.

   main prints the digests of the RFC's test suite (A.5) as the RFC does, then the digest of BYTES
   bytes. It fails if one of the suite is not as published. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifndef BYTES
#define BYTES 262144
#endif
#if BYTES < 1
#error "BYTES must be at least 1"
#endif

enum { BLOCK = 64, DIGEST = 16 };

typedef struct {
    uint32_t state[4];
    uint64_t bytes;
    uint8_t waiting[BLOCK];
} Context;

/* The integer part of 2^32 |sin(i + 1)|, i in radians (3.4). */
static const uint32_t sines[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};
static const uint8_t shifts[4][4] = {
    {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
static uint8_t buffer[BYTES];

#define STEP(function, word, round)                                                                \
    do {                                                                                           \
        uint32_t sum = a + (function) + sines[16 * (round) + i] + words[(word) % 16];              \
        unsigned shift = shifts[round][i % 4];                                                     \
        a = d, d = c, c = b;                                                                       \
        b += sum << shift | sum >> (32 - shift);                                                   \
    } while (0)

static void compress(uint32_t state[4], const uint8_t *block)
{
    uint32_t words[16];
    for (unsigned i = 0; i < 16; i++, block += 4)
        words[i] = (uint32_t)block[0] | (uint32_t)block[1] << 8 | (uint32_t)block[2] << 16 |
                   (uint32_t)block[3] << 24;
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    for (unsigned i = 0; i < 16; i++)
        STEP((b & c) | (~b & d), i, 0);
    for (unsigned i = 0; i < 16; i++)
        STEP((b & d) | (c & ~d), 5 * i + 1, 1);
    for (unsigned i = 0; i < 16; i++)
        STEP(b ^ c ^ d, 3 * i + 5, 2);
    for (unsigned i = 0; i < 16; i++)
        STEP(c ^ (b | ~d), 7 * i, 3);
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
}

static void start(Context *context)
{
    static const uint32_t initial[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
    memcpy(context->state, initial, sizeof initial);
    context->bytes = 0;
}

static void update(Context *context, const uint8_t *bytes, size_t count)
{
    size_t filled = context->bytes % BLOCK;
    context->bytes += count;
    if (filled) {
        size_t taken = BLOCK - filled < count ? BLOCK - filled : count;
        memcpy(context->waiting + filled, bytes, taken);
        if (filled + taken < BLOCK)
            return;
        compress(context->state, context->waiting);
        bytes += taken;
        count -= taken;
    }
    for (; count >= BLOCK; bytes += BLOCK, count -= BLOCK)
        compress(context->state, bytes);
    if (count)
        memcpy(context->waiting, bytes, count);
}

static void finish(Context *context, uint8_t result[DIGEST])
{
    static const uint8_t padding[BLOCK] = {0x80};
    uint64_t bits = context->bytes * 8;
    uint8_t length[8];
    for (int i = 0; i < 8; i++)
        length[i] = (uint8_t)(bits >> 8 * i);
    update(context, padding, 1 + (BLOCK + 55 - context->bytes % BLOCK) % BLOCK);
    update(context, length, sizeof length);
    for (int i = 0; i < DIGEST; i++)
        result[i] = (uint8_t)(context->state[i / 4] >> 8 * (i % 4));
}

/* The digest of some bytes in hexadecimal digits. */
static void md5(const void *bytes, size_t count, char text[2 * DIGEST + 1])
{
    Context context;
    uint8_t result[DIGEST];
    start(&context);
    update(&context, bytes, count);
    finish(&context, result);
    for (int i = 0; i < DIGEST; i++)
        sprintf(text + 2 * i, "%02x", result[i]);
}

static int suite(void)
{
    static const char *const examples[][2] = {
        {"", "d41d8cd98f00b204e9800998ecf8427e"},
        {"a", "0cc175b9c0f1b6a831c399e269772661"},
        {"abc", "900150983cd24fb0d6963f7d28e17f72"},
        {"message digest", "f96b697d7cb7938d525a2f31aaf161d0"},
        {"abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"},
        {"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
         "d174ab98d277d9f5a5611c2c9f419d9f"},
        {"12345678901234567890123456789012345678901234567890123456789012345678901234567890",
         "57edf4a22be3c955ac49da2e2107b67a"},
    };
    int right = 1;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        char text[2 * DIGEST + 1];
        md5(examples[i][0], strlen(examples[i][0]), text);
        printf("MD5 (\"%s\") = %s\n", examples[i][0], text);
        right &= !strcmp(text, examples[i][1]);
    }
    return right;
}

int main(void)
{
    char text[2 * DIGEST + 1];
    int right = suite();
    uint32_t state = 1;
    for (size_t i = 0; i < BYTES; i++) {
        state = state * 1664525u + 1013904223u;
        buffer[i] = (uint8_t)(state >> 24);
    }
    md5(buffer, BYTES, text);
    printf("digest %s\n%s\n", text, right ? "right" : "wrong");
    return !right;
}
