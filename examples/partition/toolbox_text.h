/* Texts: code points of UTF-8 (RFC 3629), base64 (RFC 4648), CRC-32 as in RFC 1952, edit distances
   (Levenshtein 1965), occurrences (Knuth, Morris, Pratt 1977), and counts of words by hashing. */
#include "toolbox_common.h"

enum { TEXT = 8 * SIZE, SLOTS = 256, LONGEST_WORD = 40 };

static char words_text[TEXT + LONGEST_WORD];
static size_t words_size;

/* Words of a small vocabulary, so that they come again; letters of one to four bytes. */
static void draw_words(void)
{
    static const char *const letters[] = {"a", "e", "n", "t", "\xc3\xa9", "\xe2\x82\xac", "o",
                                          "s", "\xf0\x9d\x84\x9e", "k"};
    uint32_t state = 55;
    for (words_size = 0; words_size < TEXT;) {
        uint32_t word = draw(&state, 10);
        word = 1 + word * draw(&state, 10);
        for (; word > 0; word /= 5) {
            const char *letter = letters[word * 7 % 10];
            memcpy(words_text + words_size, letter, strlen(letter));
            words_size += strlen(letter);
        }
        words_text[words_size++] = draw(&state, 12) ? ' ' : '\n';
    }
    show("input-words", words_text, words_size);
}

/* Reads one code point and moves on, or returns -1 where no valid one stands. */
static int32_t code_point(const uint8_t **at, const uint8_t *end)
{
    const uint8_t *p = *at;
    int more, least;
    int32_t code = *p++;
    if (code < 0x80) {
        *at = p;
        return code;
    }
    if (code >= 0xc2 && code <= 0xdf) {
        more = 1, least = 0x80;
        code &= 0x1f;
    } else if (code >= 0xe0 && code <= 0xef) {
        more = 2, least = 0x800;
        code &= 0x0f;
    } else if (code >= 0xf0 && code <= 0xf4) {
        more = 3, least = 0x10000;
        code &= 0x07;
    } else {
        return -1;
    }
    for (; more > 0; more--) {
        if (p == end || (*p & 0xc0) != 0x80)
            return -1;
        code = code << 6 | (*p++ & 0x3f);
    }
    if (code < least || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return -1;
    *at = p;
    return code;
}

static int put_code_point(int32_t code, char *out)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const int marks[] = {0, 0xc0, 0xe0, 0xf0};
    out[0] = (char)(marks[more] | code >> 6 * more);
    for (int i = 1; i <= more; i++)
        out[i] = (char)(0x80 | (code >> 6 * (more - i) & 0x3f));
    return more + 1;
}

static uint32_t crc_of(const void *bytes, size_t count)
{
    static uint32_t table[256];
    const uint8_t *at = bytes;
    uint32_t crc = 0xffffffffu;
    if (!table[1])
        for (uint32_t i = 0; i < 256; i++) {
            uint32_t rest = i;
            for (int bit = 0; bit < 8; bit++)
                rest = rest & 1 ? rest >> 1 ^ 0xedb88320u : rest >> 1;
            table[i] = rest;
        }
    for (size_t i = 0; i < count; i++)
        crc = crc >> 8 ^ table[(crc ^ at[i]) & 255];
    return ~crc;
}

static const char base64_digits[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static size_t to_base64(const uint8_t *bytes, size_t count, char *out)
{
    size_t length = 0;
    for (size_t i = 0; i < count; i += 3) {
        uint32_t group = (uint32_t)bytes[i] << 16;
        if (i + 1 < count)
            group |= (uint32_t)bytes[i + 1] << 8;
        if (i + 2 < count)
            group |= bytes[i + 2];
        out[length++] = base64_digits[group >> 18];
        out[length++] = base64_digits[group >> 12 & 63];
        out[length++] = i + 1 < count ? base64_digits[group >> 6 & 63] : '=';
        out[length++] = i + 2 < count ? base64_digits[group & 63] : '=';
    }
    return length;
}

static size_t from_base64(const char *text, size_t count, uint8_t *out)
{
    size_t length = 0;
    uint32_t group = 0;
    int bits = 0;
    for (size_t i = 0; i < count && text[i] != '='; i++) {
        const char *digit = strchr(base64_digits, text[i]);
        CHECK(text[i] && digit, "no digit of base64");
        group = group << 6 | (uint32_t)(digit - base64_digits);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            out[length++] = (uint8_t)(group >> bits);
        }
    }
    return length;
}

static int edit_distance(const char *a, int n, const char *b, int m)
{
    static int row[LONGEST_WORD + 1];
    for (int j = 0; j <= m; j++)
        row[j] = j;
    for (int i = 1; i <= n; i++) {
        int corner = row[0];
        row[0] = i;
        for (int j = 1; j <= m; j++) {
            int best = corner + (a[i - 1] != b[j - 1]);
            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            corner = row[j];
            row[j] = best;
        }
    }
    return row[m];
}

/* Where a pattern occurs in the text: how often, overlapping ones too. */
static int occurrences(const char *pattern, const char *text, size_t count)
{
    int border[LONGEST_WORD + 1] = {-1};
    int length = (int)strlen(pattern), times = 0;
    for (int i = 0, j = -1; i < length; border[++i] = ++j)
        while (j >= 0 && pattern[i] != pattern[j])
            j = border[j];
    int matched = 0;
    for (size_t i = 0; i < count; i++) {
        while (matched >= 0 && pattern[matched] != text[i])
            matched = border[matched];
        if (++matched == length) {
            times++;
            matched = border[matched];
        }
    }
    return times;
}

typedef struct {
    const char *word;
    int length, times;
} Slot;

static Slot slots[SLOTS];

static Slot *slot_of(const char *word, int length)
{
    uint32_t at = hash_bytes(HASH, word, (size_t)length) % SLOTS;
    for (int tried = 0; tried < SLOTS; tried++, at = (at + 1) % SLOTS) {
        if (!slots[at].word) {
            slots[at].word = word;
            slots[at].length = length;
            return &slots[at];
        }
        if (slots[at].length == length && !memcmp(slots[at].word, word, (size_t)length))
            return &slots[at];
    }
    fail("too many words");
    return NULL;
}

/* Different words, the count of the most frequent one, and the distances of each from the next. */
static void try_words(void)
{
    int different = 0, most = 0, distances = 0, last_length = 0;
    const char *last = NULL;
    for (size_t start = 0, i = 0; i < words_size; i++) {
        if (words_text[i] != ' ' && words_text[i] != '\n')
            continue;
        Slot *slot = slot_of(words_text + start, (int)(i - start));
        different += slot->times++ == 0;
        if (slot->times > most)
            most = slot->times;
        if (last)
            distances += edit_distance(last, last_length, slot->word, slot->length);
        last = slot->word;
        last_length = slot->length;
        start = i + 1;
    }
    printf("words %d %d %d\n", different, most, distances);
}

static void try_text(void)
{
    static char coded[2 * TEXT + 2 * LONGEST_WORD];
    static uint8_t decoded[TEXT + LONGEST_WORD];
    draw_words();
    const uint8_t *at = (const uint8_t *)words_text, *end = at + words_size;
    uint32_t sum = 0, count = 0;
    while (at < end) {
        char out[4];
        const uint8_t *start = at;
        int32_t code = code_point(&at, end);
        CHECK(code >= 0, "a text is no UTF-8");
        int length = put_code_point(code, out);
        CHECK(length == (int)(at - start) && !memcmp(out, start, (size_t)length), "UTF-8 differs");
        sum += (uint32_t)code * ++count;
    }
    printf("points %u %u\n", (unsigned)count, (unsigned)sum);
    size_t length = to_base64((const uint8_t *)words_text, words_size, coded);
    size_t back = from_base64(coded, length, decoded);
    CHECK(back == words_size && !memcmp(decoded, words_text, back), "base64 differs");
    printf("base64 %08x %08x\n", (unsigned)hash_bytes(HASH, coded, length),
           (unsigned)crc_of(words_text, words_size));
    printf("found %d %d\n", occurrences("\xc3\xa9\xc3\xa9", words_text, words_size),
           occurrences("ks", words_text, words_size));
    try_words();
}
