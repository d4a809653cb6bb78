/* The words of the language of toolbox_script.h: numbers, names, signs; # begins a comment. */
#include "toolbox_common.h"

enum { NAME_LENGTH = 16 };

typedef enum { T_END, T_NUMBER, T_NAME, T_SIGN } Token;

static const char *script_at;
static Token token;
static int32_t token_number;
static char token_text[NAME_LENGTH];

static int is_letter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static void advance(void)
{
    static const char *const pairs[] = {"<=", ">=", "==", "!=", "&&", "||", "<<", ">>"};
    int length = 0;
    for (;;) {
        while (*script_at == ' ' || *script_at == '\n')
            script_at++;
        if (*script_at != '#')
            break;
        while (*script_at && *script_at != '\n')
            script_at++;
    }
    token_number = 0;
    if (*script_at >= '0' && *script_at <= '9') {
        token = T_NUMBER;
        for (; *script_at >= '0' && *script_at <= '9'; script_at++) {
            int32_t digit = *script_at - '0';
            CHECK(token_number <= (INT32_MAX - digit) / 10, "a number is too large");
            token_number = token_number * 10 + digit;
        }
    } else if (is_letter(*script_at)) {
        token = T_NAME;
        for (; is_letter(*script_at) || (*script_at >= '0' && *script_at <= '9'); script_at++) {
            CHECK(length < NAME_LENGTH - 1, "too long a name");
            token_text[length++] = *script_at;
        }
    } else if (*script_at) {
        token = T_SIGN;
        token_text[length++] = *script_at++;
        for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
            if (token_text[0] == pairs[i][0] && *script_at == pairs[i][1]) {
                token_text[length++] = *script_at++;
                break;
            }
    } else {
        token = T_END;
    }
    token_text[length] = 0;
}

static int takes(const char *text)
{
    if ((token != T_SIGN && token != T_NAME) || strcmp(token_text, text) != 0)
        return 0;
    advance();
    return 1;
}

static void need(const char *text)
{
    if (!takes(text)) {
        fprintf(stderr, "toolbox: a script has '%s' where '%s' is due\n", token_text, text);
        exit(1);
    }
}
