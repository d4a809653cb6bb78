/* AES-128, FIPS 197 (2001), in the electronic codebook mode of NIST SP 800-38A (2001).

   A column of a round is the sum of four words, each of which depends on one byte of the state:
   SubBytes and MixColumns are looked up in four tables of 256 words, ShiftRows is the choice of the
   bytes. Decryption has tables of its own and the keys of the equivalent inverse cipher (5.3.5).

   main builds the tables, prints what the examples of the standards yield, encrypts BYTES bytes
   with the first 16 of them as the key, prints their digest (FNV-1a, 32 bits) and decrypts them. It
   fails if an example or the decrypted text is not what it should be. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifndef BYTES
#define BYTES 65536
#endif
#if BYTES < 16 || BYTES % 16 != 0
#error "BYTES must be a multiple of the block size, 16"
#endif

enum { ROUNDS = 10, BLOCK = 16, KEY_WORDS = 4 * (ROUNDS + 1) };

typedef struct {
    uint32_t encryption[KEY_WORDS];
    uint32_t decryption[KEY_WORDS];
} Keys;

static uint8_t forward_box[256], inverse_box[256];
static uint32_t forward[4][256], inverse[4][256];
static uint8_t plain[BYTES], secret[BYTES], back[BYTES];

/* A product in the field of 4.2, modulo x^8 + x^4 + x^3 + x + 1. */
static uint8_t product(unsigned a, unsigned b)
{
    unsigned sum = 0;
    for (; b; b >>= 1) {
        if (b & 1)
            sum ^= a;
        a <<= 1;
        if (a & 0x100)
            a ^= 0x11b;
    }
    return (uint8_t)sum;
}

static uint32_t word(unsigned a, unsigned b, unsigned c, unsigned d)
{
    return (uint32_t)a << 24 | (uint32_t)b << 16 | (uint32_t)c << 8 | (uint32_t)d;
}

/* 3 generates the field's group and 0xf6 is its inverse, so that x and y stay inverse. */
static void build_boxes(void)
{
    uint8_t x = 1, y = 1;
    do {
        unsigned turned = y * 0x101u;
        uint8_t boxed = (uint8_t)(y ^ turned >> 4 ^ turned >> 5 ^ turned >> 6 ^ turned >> 7 ^ 0x63);
        forward_box[x] = boxed;
        inverse_box[boxed] = x;
        x = product(x, 3);
        y = product(y, 0xf6);
    } while (x != 1);
    forward_box[0] = 0x63;
    inverse_box[0x63] = 0;
}

static void build_tables(void)
{
    build_boxes();
    for (int i = 0; i < 256; i++) {
        unsigned s = forward_box[i], r = inverse_box[i];
        uint32_t mixed = word(product(s, 2), s, s, product(s, 3));
        uint32_t unmixed = word(product(r, 14), product(r, 9), product(r, 13), product(r, 11));
        for (int row = 0; row < 4; row++) {
            forward[row][i] = mixed;
            inverse[row][i] = unmixed;
            mixed = mixed >> 8 | mixed << 24;
            unmixed = unmixed >> 8 | unmixed << 24;
        }
    }
}

static uint32_t boxed_word(uint32_t w)
{
    return word(forward_box[w >> 24], forward_box[w >> 16 & 255], forward_box[w >> 8 & 255],
                forward_box[w & 255]);
}

static uint32_t unmixed_word(uint32_t w)
{
    return inverse[0][forward_box[w >> 24]] ^ inverse[1][forward_box[w >> 16 & 255]] ^
           inverse[2][forward_box[w >> 8 & 255]] ^ inverse[3][forward_box[w & 255]];
}

static uint32_t load(const uint8_t *bytes)
{
    return word(bytes[0], bytes[1], bytes[2], bytes[3]);
}

static void expand(const uint8_t key[BLOCK], Keys *keys)
{
    uint32_t *w = keys->encryption;
    uint8_t constant = 1;
    for (int i = 0; i < 4; i++)
        w[i] = load(key + 4 * i);
    for (int i = 4; i < KEY_WORDS; i++) {
        uint32_t last = w[i - 1];
        if (i % 4 == 0) {
            last = boxed_word(last << 8 | last >> 24) ^ (uint32_t)constant << 24;
            constant = product(constant, 2);
        }
        w[i] = w[i - 4] ^ last;
    }
    for (int i = 0; i < KEY_WORDS; i++) {
        uint32_t turned = w[KEY_WORDS - 4 - i / 4 * 4 + i % 4];
        int inner = i >= 4 && i < KEY_WORDS - 4;
        keys->decryption[i] = inner ? unmixed_word(turned) : turned;
    }
}

#define TABLE_COLUMN(table, a, b, c, d)                                                            \
    (table[0][(a) >> 24] ^ table[1][(b) >> 16 & 255] ^ table[2][(c) >> 8 & 255] ^                  \
     table[3][(d) & 255])
#define BOX_COLUMN(box, a, b, c, d)                                                                \
    ((uint32_t)box[(a) >> 24] << 24 | (uint32_t)box[(b) >> 16 & 255] << 16 |                       \
     (uint32_t)box[(c) >> 8 & 255] << 8 | (uint32_t)box[(d) & 255])
#define LOAD(p)                                                                                    \
    ((uint32_t)(p)[0] << 24 | (uint32_t)(p)[1] << 16 | (uint32_t)(p)[2] << 8 | (uint32_t)(p)[3])
#define STORE(p, w)                                                                                \
    ((p)[0] = (uint8_t)((w) >> 24), (p)[1] = (uint8_t)((w) >> 16), (p)[2] = (uint8_t)((w) >> 8),   \
     (p)[3] = (uint8_t)(w))

static void encrypt(const Keys *keys, const uint8_t *in, uint8_t *out, size_t blocks)
{
    for (; blocks > 0; blocks--, in += BLOCK, out += BLOCK) {
        const uint32_t *key = keys->encryption;
        uint32_t a = LOAD(in) ^ key[0], b = LOAD(in + 4) ^ key[1];
        uint32_t c = LOAD(in + 8) ^ key[2], d = LOAD(in + 12) ^ key[3];
        for (int round = 1; round < ROUNDS; round++) {
            key += 4;
            uint32_t e = TABLE_COLUMN(forward, a, b, c, d) ^ key[0];
            uint32_t f = TABLE_COLUMN(forward, b, c, d, a) ^ key[1];
            uint32_t g = TABLE_COLUMN(forward, c, d, a, b) ^ key[2];
            uint32_t h = TABLE_COLUMN(forward, d, a, b, c) ^ key[3];
            a = e, b = f, c = g, d = h;
        }
        key += 4;
        STORE(out, BOX_COLUMN(forward_box, a, b, c, d) ^ key[0]);
        STORE(out + 4, BOX_COLUMN(forward_box, b, c, d, a) ^ key[1]);
        STORE(out + 8, BOX_COLUMN(forward_box, c, d, a, b) ^ key[2]);
        STORE(out + 12, BOX_COLUMN(forward_box, d, a, b, c) ^ key[3]);
    }
}

static void decrypt(const Keys *keys, const uint8_t *in, uint8_t *out, size_t blocks)
{
    for (; blocks > 0; blocks--, in += BLOCK, out += BLOCK) {
        const uint32_t *key = keys->decryption;
        uint32_t a = LOAD(in) ^ key[0], b = LOAD(in + 4) ^ key[1];
        uint32_t c = LOAD(in + 8) ^ key[2], d = LOAD(in + 12) ^ key[3];
        for (int round = 1; round < ROUNDS; round++) {
            key += 4;
            uint32_t e = TABLE_COLUMN(inverse, a, d, c, b) ^ key[0];
            uint32_t f = TABLE_COLUMN(inverse, b, a, d, c) ^ key[1];
            uint32_t g = TABLE_COLUMN(inverse, c, b, a, d) ^ key[2];
            uint32_t h = TABLE_COLUMN(inverse, d, c, b, a) ^ key[3];
            a = e, b = f, c = g, d = h;
        }
        key += 4;
        STORE(out, BOX_COLUMN(inverse_box, a, d, c, b) ^ key[0]);
        STORE(out + 4, BOX_COLUMN(inverse_box, b, a, d, c) ^ key[1]);
        STORE(out + 8, BOX_COLUMN(inverse_box, c, b, a, d) ^ key[2]);
        STORE(out + 12, BOX_COLUMN(inverse_box, d, c, b, a) ^ key[3]);
    }
}

static void from_hex(const char *text, uint8_t *bytes)
{
    for (; *text; text += 2) {
        unsigned value = 0;
        for (int i = 0; i < 2; i++)
            value = value << 4 | (unsigned)(text[i] <= '9' ? text[i] - '0' : text[i] - 'a' + 10);
        *bytes++ = (uint8_t)value;
    }
}

/* Prints the cipher text of an example. Returns whether both directions are as published. */
static int example(const char *name, const char *key, const char *text, const char *cipher)
{
    uint8_t key_bytes[BLOCK], in[4 * BLOCK], expected[4 * BLOCK], out[4 * BLOCK], again[4 * BLOCK];
    size_t bytes = strlen(text) / 2;
    Keys keys;
    from_hex(key, key_bytes);
    from_hex(text, in);
    from_hex(cipher, expected);
    expand(key_bytes, &keys);
    encrypt(&keys, in, out, bytes / BLOCK);
    decrypt(&keys, out, again, bytes / BLOCK);
    printf("%s ", name);
    for (size_t i = 0; i < bytes; i++)
        printf("%02x", out[i]);
    printf("\n");
    return !memcmp(out, expected, bytes) && !memcmp(again, in, bytes);
}

static uint32_t digest(const uint8_t *bytes, size_t count)
{
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ bytes[i]) * 16777619u;
    return hash;
}

int main(void)
{
    uint8_t key[BLOCK];
    Keys keys;
    build_tables();
    int right = example("FIPS-197-B", "2b7e151628aed2a6abf7158809cf4f3c",
                        "3243f6a8885a308d313198a2e0370734", "3925841d02dc09fbdc118597196a0b32");
    right &= example("FIPS-197-C.1", "000102030405060708090a0b0c0d0e0f",
                     "00112233445566778899aabbccddeeff", "69c4e0d86a7b0430d8cdb78070b4c55a");
    right &= example("SP-800-38A-F.1.1", "2b7e151628aed2a6abf7158809cf4f3c",
                     "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
                     "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710",
                     "3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf"
                     "43b1cd7f598ece23881b00e3ed0306887b0c785e27e8ad3f8223207104725dd4");
    uint32_t state = 1;
    for (size_t i = 0; i < BYTES; i++) {
        state = state * 1664525u + 1013904223u;
        plain[i] = (uint8_t)(state >> 24);
    }
    memcpy(key, plain, BLOCK);
    expand(key, &keys);
    encrypt(&keys, plain, secret, BYTES / BLOCK);
    printf("digest %08x\n", (unsigned)digest(secret, BYTES));
    decrypt(&keys, secret, back, BYTES / BLOCK);
    right &= !memcmp(back, plain, BYTES);
    printf("%s\n", right ? "right" : "wrong");
    return !right;
}
