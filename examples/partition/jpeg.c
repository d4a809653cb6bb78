/* Baseline JPEG encoder of grey images, ITU-T T.81 | ISO/IEC 10918-1 (1992), in a JFIF 1.01 file.

   Each 8 by 8 block goes through the forward cosine transform (A.3.3) in whole numbers, the
   luminance quantisation of Annex K.1, the zigzag order (A.3.6) and Huffman coding (F.1.2) with the
   luminance tables of Annex K.3. Where the image ends within a block its last samples are repeated.

   main encodes a reproducible image of WIDTH by HEIGHT samples and prints the size and a digest
   (FNV-1a, 32 bits) of the file, or with -DWRITE_FILE the file. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#ifndef WIDTH
#define WIDTH 256
#endif
#ifndef HEIGHT
#define HEIGHT 256
#endif
#if WIDTH < 1 || HEIGHT < 1 || WIDTH > 8192 || HEIGHT > 8192
#error "WIDTH and HEIGHT must be 1 to 8192"
#endif

/* No coefficient takes more than 16 bits of code and 11 of value; stuffing at most doubles that. */
enum { BLOCKS = ((WIDTH + 7) / 8) * ((HEIGHT + 7) / 8), CAPACITY = 1024 + BLOCKS * 64 * 27 / 4 };

typedef struct {
    uint16_t code[256];
    uint8_t length[256];
} Codes;

/* Table K.1 by rows of a block, and where the coefficients of the zigzag stand in a block. */
static const uint8_t steps[64] = {
    16, 11, 10, 16, 24,  40,  51,  61,  12, 12, 14, 19, 26,  58,  60,  55,
    14, 13, 16, 24, 40,  57,  69,  56,  14, 17, 22, 29, 51,  87,  80,  62,
    18, 22, 37, 56, 68,  109, 103, 77,  24, 35, 55, 64, 81,  104, 113, 92,
    49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
};
static uint8_t zigzag[64];

/* Table K.3 and Table K.5: how many codes of each length there are, and what they stand for. */
static const uint8_t dc_counts[16] = {0, 1, 5, 1, 1, 1, 1, 1, 1};
static const uint8_t dc_symbols[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
static const uint8_t ac_counts[16] = {0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125};
static const uint8_t ac_symbols[162] = {
    0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61, 0x07,
    0x22, 0x71, 0x14, 0x32, 0x81, 0x91, 0xa1, 0x08, 0x23, 0x42, 0xb1, 0xc1, 0x15, 0x52, 0xd1, 0xf0,
    0x24, 0x33, 0x62, 0x72, 0x82, 0x09, 0x0a, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x25, 0x26, 0x27, 0x28,
    0x29, 0x2a, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49,
    0x4a, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59, 0x5a, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69,
    0x6a, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7a, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89,
    0x8a, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9a, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7,
    0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7, 0xb8, 0xb9, 0xba, 0xc2, 0xc3, 0xc4, 0xc5,
    0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xe1, 0xe2,
    0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xea, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8,
    0xf9, 0xfa,
};
static Codes dc_codes, ac_codes;

static uint8_t image[HEIGHT][WIDTH], file[CAPACITY];
static size_t written;
static uint32_t pending; /* bits that do not yet fill a byte, the latest lowest */
static int pending_bits;

static void build_zigzag(void)
{
    int row = 0, column = 0;
    for (int i = 0; i < 64; i++) {
        zigzag[i] = (uint8_t)(8 * row + column);
        int up = (row + column) % 2 == 0;
        if (up && column < 7) {
            column++;
            row -= row > 0;
        } else if (!up && row < 7) {
            row++;
            column -= column > 0;
        } else {
            row += up;
            column += !up;
        }
    }
}

/* Annex C: codes of one length are consecutive numbers. */
static void build_codes(const uint8_t counts[16], const uint8_t *symbols, Codes *codes)
{
    unsigned code = 0;
    for (int length = 1; length <= 16; length++, code <<= 1)
        for (int i = 0; i < counts[length - 1]; i++) {
            codes->code[*symbols] = (uint16_t)code++;
            codes->length[*symbols++] = (uint8_t)length;
        }
}

static void put_byte(unsigned byte)
{
    file[written++] = (uint8_t)byte;
}

static void put_bytes(const void *bytes, size_t count)
{
    memcpy(file + written, bytes, count);
    written += count;
}

static void put_word(unsigned word)
{
    put_byte(word >> 8 & 255);
    put_byte(word & 255);
}

static void put_codes(unsigned class, const uint8_t counts[16], const uint8_t *symbols,
                      size_t count)
{
    put_word(0xffc4);
    put_word((unsigned)(19 + count));
    put_byte(class << 4);
    put_bytes(counts, 16);
    put_bytes(symbols, count);
}

static void put_headers(void)
{
    static const uint8_t start[] = {0xff, 0xd8, 0xff, 0xe0, 0, 16, 'J', 'F', 'I', 'F',
                                    0,    1,    1,    0,    0, 1,  0,   1,   0,   0};
    static const uint8_t scan[] = {0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0};
    put_bytes(start, sizeof start);
    put_word(0xffdb);
    put_word(67);
    put_byte(0);
    for (int i = 0; i < 64; i++)
        put_byte(steps[zigzag[i]]);
    put_word(0xffc0);
    put_word(11);
    put_byte(8);
    put_word(HEIGHT);
    put_word(WIDTH);
    put_word(0x0101);
    put_word(0x1100);
    put_codes(0, dc_counts, dc_symbols, sizeof dc_symbols);
    put_codes(1, ac_counts, ac_symbols, sizeof ac_symbols);
    put_bytes(scan, sizeof scan);
}

static void take_block(int top, int left, int16_t block[64])
{
    for (int i = 0; i < 8; i++) {
        int row = top + i < HEIGHT ? top + i : HEIGHT - 1;
        for (int j = 0; j < 8; j++) {
            int column = left + j < WIDTH ? left + j : WIDTH - 1;
            block[8 * i + j] = (int16_t)(image[row][column] - 128);
        }
    }
}

/* cos(k pi / 16) / 2 times 2^13. */
enum { C1 = 4017, C2 = 3784, C3 = 3406, C4 = 2896, C5 = 2276, C6 = 1567, C7 = 799 };

/* x / 2^bits to the nearest whole number, by a shift of what is never negative. */
#define SCALED(x, bits)                                                                            \
    ((int16_t)((int32_t)((uint32_t)((x) + (1 << 30) + (1 << ((bits) - 1))) >> (bits)) -            \
               (1 << (30 - (bits)))))

/* Rows, then columns; what either yields is 8 times itself, so that little is lost. */
static void transform(int16_t block[64])
{
    for (int pass = 0; pass < 2; pass++) {
        int step = pass ? 8 : 1, next = pass ? 1 : 8, bits = pass ? 13 : 10;
        for (int line = 0; line < 8; line++) {
            int16_t *s = block + line * next;
            int32_t a0 = s[0] + s[7 * step], b0 = s[0] - s[7 * step];
            int32_t a1 = s[step] + s[6 * step], b1 = s[step] - s[6 * step];
            int32_t a2 = s[2 * step] + s[5 * step], b2 = s[2 * step] - s[5 * step];
            int32_t a3 = s[3 * step] + s[4 * step], b3 = s[3 * step] - s[4 * step];
            s[0] = SCALED(C4 * (a0 + a1 + a2 + a3), bits);
            s[step] = SCALED(C1 * b0 + C3 * b1 + C5 * b2 + C7 * b3, bits);
            s[2 * step] = SCALED(C2 * (a0 - a3) + C6 * (a1 - a2), bits);
            s[3 * step] = SCALED(C3 * b0 - C7 * b1 - C1 * b2 - C5 * b3, bits);
            s[4 * step] = SCALED(C4 * (a0 - a1 - a2 + a3), bits);
            s[5 * step] = SCALED(C5 * b0 - C1 * b1 + C7 * b2 + C3 * b3, bits);
            s[6 * step] = SCALED(C6 * (a0 - a3) - C2 * (a1 - a2), bits);
            s[7 * step] = SCALED(C7 * b0 - C5 * b1 + C3 * b2 - C1 * b3, bits);
        }
    }
}

/* To the nearest multiple of each step, halves away from zero, in zigzag order. */
static void quantise(const int16_t block[64], int16_t levels[64])
{
    for (int i = 0; i < 64; i++) {
        int value = block[zigzag[i]], step = 8 * steps[zigzag[i]];
        int magnitude = ((value < 0 ? -value : value) + step / 2) / step;
        levels[i] = (int16_t)(value < 0 ? -magnitude : magnitude);
    }
}

/* The count lowest bits of some, with a zero byte after each 0xff (F.1.2.3). */
static void put_bits(unsigned bits, int count)
{
    pending = pending << count | (bits & ((1u << count) - 1));
    for (pending_bits += count; pending_bits >= 8; pending_bits -= 8) {
        unsigned byte = pending >> (pending_bits - 8) & 255;
        file[written++] = (uint8_t)byte;
        if (byte == 255)
            file[written++] = 0;
    }
}

/* A run of zeros and the level after it; negative levels are one less, in ones' complement. */
static void put_level(const Codes *codes, int run, int level)
{
    int size = 0;
    for (int magnitude = level < 0 ? -level : level; magnitude > 0; magnitude >>= 1)
        size++;
    int symbol = run << 4 | size;
    put_bits(codes->code[symbol], codes->length[symbol]);
    put_bits((unsigned)(level < 0 ? level - 1 : level), size);
}

static void encode(const int16_t levels[64], int last_mean)
{
    int run = 0;
    put_level(&dc_codes, 0, levels[0] - last_mean);
    for (int i = 1; i < 64; i++) {
        if (levels[i] == 0) {
            run++;
            continue;
        }
        for (; run > 15; run -= 16)
            put_bits(ac_codes.code[0xf0], ac_codes.length[0xf0]);
        put_level(&ac_codes, run, levels[i]);
        run = 0;
    }
    if (run > 0)
        put_bits(ac_codes.code[0], ac_codes.length[0]);
}

static void encode_image(void)
{
    int16_t block[64], levels[64];
    int mean = 0;
    put_headers();
    for (int top = 0; top < HEIGHT; top += 8)
        for (int left = 0; left < WIDTH; left += 8) {
            take_block(top, left, block);
            transform(block);
            quantise(block, levels);
            encode(levels, mean);
            mean = levels[0];
        }
    put_bits(127, 7); /* fills the last byte with ones; what is left over is none of it */
    put_word(0xffd9);
}

/* Two slopes, a disc in negative with rings, and some noise. */
static void draw(void)
{
    int radius = (WIDTH < HEIGHT ? WIDTH : HEIGHT) / 3;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            int dx = x - WIDTH / 2, dy = y - HEIGHT / 2;
            int shade = 32 + 128 * x / WIDTH + 64 * y / HEIGHT;
            uint32_t noise = (uint32_t)x * 2246822519u + (uint32_t)y * 3266489917u;
            noise = (noise ^ noise >> 15) * 2654435761u;
            if (dx * dx + dy * dy < radius * radius)
                shade = 240 - shade + (dx * dx + dy * dy) / 16 % 32;
            image[y][x] = (uint8_t)(shade + (int)(noise >> 28));
        }
}

int main(void)
{
    build_zigzag();
    build_codes(dc_counts, dc_symbols, &dc_codes);
    build_codes(ac_counts, ac_symbols, &ac_codes);
    draw();
    encode_image();
#ifdef WRITE_FILE
    return fwrite(file, 1, written, stdout) != written;
#else
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < written; i++)
        hash = (hash ^ file[i]) * 16777619u;
    printf("bytes %u\ndigest %08x\n", (unsigned)written, (unsigned)hash);
    return 0;
#endif
}
