/* JSON (RFC 8259): a parser into a tree, sums over it, and a writer with sorted names.

   Numbers are kept as decimal fractions and written without exponent and superfluous zeros. What is
   not ASCII is written as escapes. */
#include "toolbox_common.h"

enum { JSON_TEXT = 80 * SIZE, JSON_NODES = 16 * SIZE, JSON_DEEP = 64 };

typedef enum { IS_NULL, IS_FALSE, IS_TRUE, IS_NUMBER, IS_TEXT, IS_LIST, IS_OBJECT } Kind;

typedef struct Json Json;
struct Json {
    Kind kind;
    int64_t mantissa; /* of a number, which is this times ten to the exponent */
    int exponent, length;
    const char *text, *name; /* ended by zeros */
    Json *first, *next;
};

static char json_text[JSON_TEXT], json_texts[JSON_TEXT], json_written[2 * JSON_TEXT];
static Json json_nodes[JSON_NODES];
static size_t json_size, json_texts_size, json_written_size;
static int json_count;
static const char *json_at;

static void skip_space(void)
{
    while (*json_at == ' ' || *json_at == '\n' || *json_at == '\t' || *json_at == '\r')
        json_at++;
}

static int accepted(const char *word)
{
    size_t length = strlen(word);
    if (strncmp(json_at, word, length) != 0)
        return 0;
    json_at += length;
    return 1;
}

static int32_t hex_escape(void)
{
    int32_t code = 0;
    for (int i = 0; i < 4; i++) {
        int digit = *json_at++;
        if (digit >= '0' && digit <= '9')
            digit -= '0';
        else if (digit >= 'a' && digit <= 'f')
            digit -= 'a' - 10;
        else if (digit >= 'A' && digit <= 'F')
            digit -= 'A' - 10;
        else
            fail("no hexadecimal digit");
        code = code << 4 | digit;
    }
    return code;
}

static void take_escape(char **out)
{
    int32_t code = 0;
    switch (*json_at++) {
    case '"': code = '"'; break;
    case '\\': code = '\\'; break;
    case '/': code = '/'; break;
    case 'b': code = '\b'; break;
    case 'f': code = '\f'; break;
    case 'n': code = '\n'; break;
    case 'r': code = '\r'; break;
    case 't': code = '\t'; break;
    case 'u':
        code = hex_escape();
        if (code >= 0xd800 && code < 0xdc00) {
            CHECK(accepted("\\u"), "half a surrogate");
            code = 0x10000 + ((code - 0xd800) << 10) + (hex_escape() - 0xdc00);
        }
        break;
    default: fail("no such escape");
    }
    *out += put_code_point(code, *out);
}

static const char *take_text(void)
{
    char *start = json_texts + json_texts_size, *out = start;
    CHECK(accepted("\""), "a text is expected");
    while (*json_at != '"') {
        CHECK((unsigned char)*json_at >= ' ', "a control character in a text");
        if (*json_at == '\\') {
            json_at++;
            take_escape(&out);
        } else {
            *out++ = *json_at++;
        }
    }
    json_at++;
    *out++ = 0;
    json_texts_size = (size_t)(out - json_texts);
    return start;
}

static void take_number(Json *json)
{
    int negative = accepted("-"), exponent = 0, point = 0;
    CHECK(*json_at >= '0' && *json_at <= '9', "a digit is expected");
    for (;; json_at++) {
        if (*json_at == '.') {
            CHECK(!point, "two points in a number");
            point = 1;
        } else if (*json_at >= '0' && *json_at <= '9') {
            CHECK(json->mantissa < INT64_MAX / 10 - 1, "too many digits");
            json->mantissa = json->mantissa * 10 + (*json_at - '0');
            json->exponent -= point;
        } else {
            break;
        }
    }
    if (accepted("e") || accepted("E")) {
        int below = accepted("-");
        if (!below)
            accepted("+");
        for (; *json_at >= '0' && *json_at <= '9' && exponent < 1000; json_at++)
            exponent = exponent * 10 + (*json_at - '0');
        json->exponent += below ? -exponent : exponent;
    }
    if (json->mantissa == 0)
        json->exponent = 0;
    for (; json->mantissa != 0 && json->mantissa % 10 == 0; json->exponent++)
        json->mantissa /= 10;
    if (negative)
        json->mantissa = -json->mantissa;
    json->kind = IS_NUMBER;
}

static Json *take_value(int depth);

/* The members of a list or an object, the opening bracket being taken. */
static void take_members(Json *json, int depth)
{
    const char *end = json->kind == IS_LIST ? "]" : "}";
    Json **next = &json->first;
    skip_space();
    if (accepted(end))
        return;
    do {
        const char *name = NULL;
        skip_space();
        if (json->kind == IS_OBJECT) {
            name = take_text();
            skip_space();
            CHECK(accepted(":"), "a colon is expected");
        }
        *next = take_value(depth + 1);
        (*next)->name = name;
        next = &(*next)->next;
        json->length++;
        skip_space();
    } while (accepted(","));
    CHECK(accepted(end), "a bracket is not closed");
}

static Json *take_value(int depth)
{
    CHECK(json_count < JSON_NODES && depth < JSON_DEEP, "too large a document");
    Json *json = &json_nodes[json_count++];
    memset(json, 0, sizeof *json);
    skip_space();
    if (accepted("null")) {
        json->kind = IS_NULL;
    } else if (accepted("false")) {
        json->kind = IS_FALSE;
    } else if (accepted("true")) {
        json->kind = IS_TRUE;
    } else if (*json_at == '"') {
        json->kind = IS_TEXT;
        json->text = take_text();
    } else if (accepted("[")) {
        json->kind = IS_LIST;
        take_members(json, depth);
    } else if (accepted("{")) {
        json->kind = IS_OBJECT;
        take_members(json, depth);
    } else {
        take_number(json);
    }
    return json;
}
