/* The other half of toolbox_json.h: documents to read, sums over them, and their canonical text. */
#include "toolbox_common.h"

static void add_char(int letter)
{
    CHECK(json_written_size < sizeof json_written, "too long a document");
    json_written[json_written_size++] = (char)letter;
}

static void add_chars(const char *text)
{
    while (*text)
        add_char(*text++);
}

static void add_unit(int32_t unit)
{
    add_chars("\\u");
    for (int shift = 12; shift >= 0; shift -= 4)
        add_char("0123456789abcdef"[unit >> shift & 15]);
}

static void add_text(const char *text)
{
    const uint8_t *at = (const uint8_t *)text, *end = at + strlen(text);
    add_char('"');
    while (at < end) {
        int32_t code = code_point(&at, end);
        CHECK(code >= 0, "a text is no UTF-8");
        if (code == '"' || code == '\\') {
            add_char('\\');
            add_char((int)code);
        } else if (code == '\n') {
            add_chars("\\n");
        } else if (code == '\t') {
            add_chars("\\t");
        } else if (code >= ' ' && code < 0x7f) {
            add_char((int)code);
        } else if (code < 0x10000) {
            add_unit(code);
        } else {
            add_unit(0xd800 + ((code - 0x10000) >> 10));
            add_unit(0xdc00 + ((code - 0x10000) & 0x3ff));
        }
    }
    add_char('"');
}

static void add_number(const Json *json)
{
    char digits[24];
    int count = 0;
    int64_t left = json->mantissa < 0 ? -json->mantissa : json->mantissa;
    do {
        digits[count++] = (char)('0' + left % 10);
        left /= 10;
    } while (left > 0);
    while (count <= -json->exponent && count < 24)
        digits[count++] = '0';
    CHECK(count > -json->exponent, "too small a number");
    if (json->mantissa < 0)
        add_char('-');
    while (count > 0) {
        if (count == -json->exponent)
            add_char('.');
        add_char(digits[--count]);
    }
    for (int i = 0; i < json->exponent; i++)
        add_char('0');
}

static Json *by_name(Json *first)
{
    Json *sorted_list = NULL;
    while (first) {
        Json *taken = first, **at = &sorted_list;
        first = first->next;
        while (*at && strcmp((*at)->name, taken->name) < 0)
            at = &(*at)->next;
        taken->next = *at;
        *at = taken;
    }
    return sorted_list;
}

static void add_json(Json *json)
{
    switch (json->kind) {
    case IS_NULL: add_chars("null"); break;
    case IS_FALSE: add_chars("false"); break;
    case IS_TRUE: add_chars("true"); break;
    case IS_NUMBER: add_number(json); break;
    case IS_TEXT: add_text(json->text); break;
    case IS_LIST:
    case IS_OBJECT:
        if (json->kind == IS_OBJECT)
            json->first = by_name(json->first);
        add_char(json->kind == IS_LIST ? '[' : '{');
        for (Json *member = json->first; member; member = member->next) {
            if (json->kind == IS_OBJECT) {
                add_text(member->name);
                add_char(':');
            }
            add_json(member);
            if (member->next)
                add_char(',');
        }
        add_char(json->kind == IS_LIST ? ']' : '}');
        break;
    }
}

/* The sum of all numbers, in ten-thousandths, and how deep the document is. */
static int64_t json_sum(const Json *json, int *depth)
{
    int deepest = 0;
    int64_t sum = 0;
    if (json->kind == IS_NUMBER) {
        sum = json->mantissa;
        for (int i = -4; i < json->exponent; i++)
            sum *= 10;
    }
    for (const Json *member = json->first; member; member = member->next) {
        int below;
        sum += json_sum(member, &below);
        if (below > deepest)
            deepest = below;
    }
    *depth = deepest + 1;
    return sum;
}

/* Appends a random value to the document: lists and objects while there are levels left. */
static void draw_json(uint32_t *state, int levels)
{
    static const char *const texts[] = {
        "plain", "two words", "tab\\there", "quote \\\" and \\\\ \\/", "\\u00e9t\\u00C9",
        "\xe2\x82\xac 5", "clef \\ud834\\udd1e", "line\\nline", "", "\xf0\x9f\x98\x80",
    };
    char *out = json_text + json_size;
    uint32_t kind = draw(state, levels > 0 ? 12 : 8);
    unsigned choice = draw(state, 3), number = draw(state, 100000);
    if (kind < 2) {
        out += sprintf(out, "\"%s\"", texts[number % 10]);
    } else if (kind < 4) {
        out += sprintf(out, "%s%u", choice ? "" : "-", 1 + number);
    } else if (kind < 6) {
        out += sprintf(out, "%u.%03u", number / 1000, number % 1000);
        if (choice == 0)
            out += sprintf(out, "%s%u", number % 2 ? "e" : "E+", number % 4);
    } else if (kind < 8) {
        out += sprintf(out, "%s", choice == 0 ? "null" : choice == 1 ? "true" : "false");
    } else {
        uint32_t members = draw(state, 6);
        *out++ = kind < 10 ? '[' : '{';
        for (uint32_t i = 0; i < members; i++) {
            int letter = (int)('a' + draw(state, 26));
            if (kind >= 10)
                out += sprintf(out, "%s\"%c%u\" :", letter % 2 ? " " : "", letter, (unsigned)i);
            json_size = (size_t)(out - json_text);
            draw_json(state, levels - 1);
            out = json_text + json_size;
            if (i + 1 < members)
                out += sprintf(out, ",%s", letter % 3 ? "\n\t" : "");
        }
        *out++ = kind < 10 ? ']' : '}';
    }
    json_size = (size_t)(out - json_text);
}

static void try_json(void)
{
    uint32_t state = 66;
    int depth;
    json_size = json_texts_size = json_written_size = 0;
    json_text[json_size++] = '[';
    do {
        draw_json(&state, 5);
        json_text[json_size++] = ',';
    } while (json_size < JSON_TEXT / 2);
    memcpy(json_text + json_size, "0]", 3);
    json_size += 2;
    show("input-json", json_text, json_size);
    json_at = json_text;
    json_count = 0;
    Json *json = take_value(0);
    CHECK(*json_at == 0, "more than one document");
    int64_t sum = json_sum(json, &depth);
    add_json(json);
    printf("json %08x %u %lld %d\n", (unsigned)hash_bytes(HASH, json_written, json_written_size),
           (unsigned)json->length, (long long)sum, depth);
}
