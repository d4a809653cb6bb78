/* DEFLATE (RFC 1951) of bytes: repetitions are found by chains of equal hashes, and written with
   the fixed codes, or the bytes are stored where they do not repeat; and the way back. */
#include "toolbox_common.h"

enum { PACKED = 20 * SIZE, WINDOW = 32768, CHAINS = 1024, SHORTEST = 3, LONGEST = 258 };
enum { MOST_STORED = 65535 };

typedef struct {
    uint8_t *bytes;
    size_t size, capacity; /* of a reader the size is how much it has read */
    uint32_t bits;
    int count;
} Stream;

static uint8_t to_pack[PACKED + 64], packed[2 * PACKED + 64], unpacked[PACKED + 64];
static size_t to_pack_size;
static int chain_head[CHAINS], chain_next[PACKED + 64];
static int length_base[29], length_extra[29], distance_base[30], distance_extra[30];

/* 3.2.5: extra bits grow by one every four lengths, every two distances. */
static void build_bases(void)
{
    for (int i = 0, base = SHORTEST; i < 28; base += 1 << length_extra[i++]) {
        length_base[i] = base;
        length_extra[i] = i < 8 ? 0 : i / 4 - 1;
    }
    length_base[28] = LONGEST;
    length_extra[28] = 0;
    for (int i = 0, base = 1; i < 30; base += 1 << distance_extra[i++]) {
        distance_base[i] = base;
        distance_extra[i] = i < 4 ? 0 : i / 2 - 1;
    }
}

static void push_bits(Stream *out, uint32_t bits, int count)
{
    out->bits |= bits << out->count;
    for (out->count += count; out->count >= 8; out->count -= 8) {
        CHECK(out->size < out->capacity, "no room for packed bytes");
        out->bytes[out->size++] = (uint8_t)out->bits;
        out->bits >>= 8;
    }
}

/* Codes are written from their highest bit on, everything else from the lowest. */
static void push_code(Stream *out, uint32_t code, int count)
{
    uint32_t turned = 0;
    for (int i = 0; i < count; i++)
        turned |= (code >> i & 1) << (count - 1 - i);
    push_bits(out, turned, count);
}

static void push_symbol(Stream *out, int symbol)
{
    if (symbol < 144)
        push_code(out, (uint32_t)(0x30 + symbol), 8);
    else if (symbol < 256)
        push_code(out, (uint32_t)(0x190 + symbol - 144), 9);
    else if (symbol < 280)
        push_code(out, (uint32_t)(symbol - 256), 7);
    else
        push_code(out, (uint32_t)(0xc0 + symbol - 280), 8);
}

static void push_match(Stream *out, int length, int far)
{
    int i = 28, j = 29;
    while (length_base[i] > length)
        i--;
    push_symbol(out, 257 + i);
    push_bits(out, (uint32_t)(length - length_base[i]), length_extra[i]);
    while (distance_base[j] > far)
        j--;
    push_code(out, (uint32_t)j, 5);
    push_bits(out, (uint32_t)(far - distance_base[j]), distance_extra[j]);
}

static int chain_of(const uint8_t *at)
{
    return (int)(((uint32_t)at[0] << 10 ^ (uint32_t)at[1] << 5 ^ at[2]) * 2654435761u >> 22);
}

/* The longest earlier copy of what stands at a place, among the 32 latest candidates. */
static int longest_match(const uint8_t *bytes, int at, int end, int *far)
{
    int best = 0, tries = 32;
    int most = end - at < LONGEST ? end - at : LONGEST;
    if (most < SHORTEST)
        return 0;
    int candidate = chain_head[chain_of(bytes + at)];
    for (; candidate >= 0 && tries > 0; candidate = chain_next[candidate], tries--) {
        if (at - candidate > WINDOW)
            break;
        if (best > 0 && bytes[candidate + best] != bytes[at + best])
            continue;
        int length = 0;
        while (length < most && bytes[candidate + length] == bytes[at + length])
            length++;
        if (length > best) {
            best = length;
            *far = at - candidate;
            if (best == most)
                break;
        }
    }
    return best >= SHORTEST ? best : 0;
}

static void remember(const uint8_t *bytes, int at, int end)
{
    if (end - at < SHORTEST)
        return;
    int chain = chain_of(bytes + at);
    chain_next[at] = chain_head[chain];
    chain_head[chain] = at;
}

static void push_fixed(Stream *out, const uint8_t *bytes, int from, int to, int last)
{
    push_bits(out, last ? 3 : 2, 3);
    for (int at = from; at < to;) {
        int far = 0, length = longest_match(bytes, at, to, &far);
        if (length)
            push_match(out, length, far);
        else
            push_symbol(out, bytes[at]);
        for (int i = length ? length : 1; i > 0; i--, at++)
            remember(bytes, at, to);
    }
    push_symbol(out, 256);
}

static void push_stored(Stream *out, const uint8_t *bytes, int from, int to, int last)
{
    push_bits(out, last ? 1 : 0, 3);
    push_bits(out, 0, (8 - out->count) % 8);
    push_bits(out, (uint32_t)(to - from), 16);
    push_bits(out, (uint32_t)(to - from) ^ 0xffff, 16);
    for (int at = from; at < to; at++)
        push_bits(out, bytes[at], 8);
}

/* Blocks of a quarter each; one that gets no smaller is stored. */
static size_t deflated(const uint8_t *bytes, int count)
{
    Stream out = {packed, 0, sizeof packed, 0, 0};
    int step = count / 4 + 1 < MOST_STORED ? count / 4 + 1 : MOST_STORED;
    for (int i = 0; i < CHAINS; i++)
        chain_head[i] = -1;
    for (int from = 0; from < count; from += step) {
        int to = from + step < count ? from + step : count;
        Stream before = out;
        push_fixed(&out, bytes, from, to, to == count);
        if (out.size - before.size > (size_t)(to - from)) {
            out = before;
            push_stored(&out, bytes, from, to, to == count);
        }
    }
    push_bits(&out, 0, (8 - out.count) % 8);
    return out.size;
}

static uint32_t pull_bits(Stream *in, int count)
{
    uint32_t found = 0;
    for (int i = 0; i < count; i++) {
        if (in->count == 0) {
            CHECK(in->size < in->capacity, "packed bytes end early");
            in->bits = in->bytes[in->size++];
            in->count = 8;
        }
        found |= (in->bits & 1) << i;
        in->bits >>= 1;
        in->count--;
    }
    return found;
}

static uint32_t pull_code(Stream *in, uint32_t code, int count)
{
    for (int i = 0; i < count; i++)
        code = code << 1 | pull_bits(in, 1);
    return code;
}

static int pull_symbol(Stream *in)
{
    uint32_t code = pull_code(in, 0, 7);
    if (code < 0x18)
        return 256 + (int)code;
    code = pull_code(in, code, 1);
    if (code < 0xc0)
        return (int)code - 0x30;
    if (code < 0xc8)
        return 280 + (int)code - 0xc0;
    return 144 + (int)pull_code(in, code, 1) - 0x190;
}

static size_t inflated(size_t count, uint8_t *out, size_t capacity)
{
    Stream in = {packed, 0, count, 0, 0};
    size_t size = 0;
    uint32_t last;
    do {
        last = pull_bits(&in, 1);
        uint32_t type = pull_bits(&in, 2);
        CHECK(type < 2, "a block is of no known type");
        if (type == 0) {
            in.count = 0;
            uint32_t length = pull_bits(&in, 16);
            CHECK((pull_bits(&in, 16) ^ length) == 0xffff, "a stored length is wrong");
            CHECK(size + length <= capacity, "too many bytes");
            for (; length > 0; length--)
                out[size++] = (uint8_t)pull_bits(&in, 8);
            continue;
        }
        for (int symbol; (symbol = pull_symbol(&in)) != 256;) {
            if (symbol < 256) {
                CHECK(size < capacity, "too many bytes");
                out[size++] = (uint8_t)symbol;
                continue;
            }
            CHECK(symbol < 257 + 29, "no such length");
            symbol -= 257;
            uint32_t length = (uint32_t)length_base[symbol] + pull_bits(&in, length_extra[symbol]);
            uint32_t code = pull_code(&in, 0, 5);
            CHECK(code < 30, "no such distance");
            uint32_t far = (uint32_t)distance_base[code] + pull_bits(&in, distance_extra[code]);
            CHECK(far <= size && size + length <= capacity, "a copy of what is not there");
            for (; length > 0; length--, size++)
                out[size] = out[size - far];
        }
    } while (!last);
    return size;
}

/* Text that repeats itself more or less, and a quarter of noise. */
static void draw_to_pack(void)
{
    static const char *const words[] = {"cache ",  "line ",    "block ",
                                        "of the ", "memory, ", "core "};
    uint32_t state = 88;
    for (to_pack_size = 0; to_pack_size < PACKED;) {
        if (to_pack_size > PACKED / 2 && to_pack_size < 3 * PACKED / 4) {
            to_pack[to_pack_size++] = (uint8_t)draw(&state, 256);
            continue;
        }
        const char *word = words[draw(&state, 6)];
        memcpy(to_pack + to_pack_size, word, strlen(word));
        to_pack_size += strlen(word);
        if (draw(&state, 9) == 0)
            to_pack[to_pack_size++] = (uint8_t)('0' + draw(&state, 10));
    }
}

static void try_deflate(void)
{
    build_bases();
    draw_to_pack();
    size_t count = deflated(to_pack, (int)to_pack_size);
    size_t back = inflated(count, unpacked, sizeof unpacked);
    CHECK(back == to_pack_size && !memcmp(unpacked, to_pack, back), "unpacked bytes differ");
    CHECK(count < to_pack_size, "packing does not help");
    show("packed", packed, count);
    printf("deflate %u %08x\n", (unsigned)to_pack_size, (unsigned)crc_of(to_pack, to_pack_size));
}
