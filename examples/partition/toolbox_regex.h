/* Regular expressions: a parser, a program of few instructions, and a machine that follows all ways
   at once (Thompson 1968) and prefers the way that backtracking would take first, as Pike's does.

   Known are letters, dot, classes, \d \w \s and their opposites, ^ and $ of the whole text, groups,
   alternatives, and ? * + {m,n}, which are lazy with another ? behind. */
#include "toolbox_common.h"

enum { REGEX_NODES = 200, REGEX_PROGRAM = 600, MANY = -1 };

typedef enum { R_EMPTY, R_SET, R_START, R_END, R_JOIN, R_EITHER, R_REPEAT } RegexKind;

typedef struct {
    RegexKind kind;
    int left, right; /* nodes */
    int least, most, lazy;
    uint32_t set[8]; /* the bytes that may stand here */
} RegexNode;

typedef enum { I_SET, I_START, I_END, I_SPLIT, I_JUMP, I_MATCH } RegexOperation;

/* A split goes to first or, with less preference, to second. */
typedef struct {
    RegexOperation operation;
    int first, second;
    const uint32_t *set;
} RegexInstruction;

static RegexNode regex_nodes[REGEX_NODES];
static RegexInstruction regex_program[REGEX_PROGRAM];
static int regex_count, regex_length;
static const char *regex_at;

static int regex_node(RegexKind kind, int left, int right)
{
    CHECK(regex_count < REGEX_NODES, "too long an expression");
    RegexNode *node = &regex_nodes[regex_count];
    memset(node, 0, sizeof *node);
    node->kind = kind;
    node->left = left;
    node->right = right;
    return regex_count++;
}

static void allow(uint32_t set[8], int from, int to)
{
    for (int i = from; i <= to; i++)
        set[i / 32] |= 1u << i % 32;
}

/* What a letter after a backslash stands for. */
static void allow_escape(uint32_t set[8], int letter)
{
    uint32_t own[8] = {0};
    switch (letter) {
    case 'd':
    case 'D': allow(own, '0', '9'); break;
    case 'w':
    case 'W':
        allow(own, '0', '9');
        allow(own, 'A', 'Z');
        allow(own, 'a', 'z');
        allow(own, '_', '_');
        break;
    case 's':
    case 'S':
        allow(own, '\t', '\r');
        allow(own, ' ', ' ');
        break;
    case 'n': allow(own, '\n', '\n'); break;
    default: allow(own, letter, letter);
    }
    int opposite = letter == 'D' || letter == 'W' || letter == 'S';
    for (int i = 0; i < 8; i++)
        set[i] |= opposite ? ~own[i] : own[i];
}

static int regex_class(void)
{
    int node = regex_node(R_SET, 0, 0);
    uint32_t *set = regex_nodes[node].set;
    int opposite = *regex_at == '^';
    regex_at += opposite;
    do {
        int from = (unsigned char)*regex_at++;
        CHECK(from != 0, "a class is not closed");
        if (from == '\\') {
            allow_escape(set, (unsigned char)*regex_at++);
        } else if (regex_at[0] == '-' && regex_at[1] != ']') {
            allow(set, from, (unsigned char)regex_at[1]);
            regex_at += 2;
        } else {
            allow(set, from, from);
        }
    } while (*regex_at != ']');
    regex_at++;
    for (int i = 0; i < 8 && opposite; i++)
        set[i] = ~set[i];
    return node;
}

static int regex_alternatives(void);

static int regex_atom(void)
{
    int node, letter = (unsigned char)*regex_at++;
    switch (letter) {
    case '(':
        node = regex_alternatives();
        CHECK(*regex_at++ == ')', "a group is not closed");
        return node;
    case '[': return regex_class();
    case '^': return regex_node(R_START, 0, 0);
    case '$': return regex_node(R_END, 0, 0);
    default: break;
    }
    node = regex_node(R_SET, 0, 0);
    if (letter == '.') {
        allow(regex_nodes[node].set, 0, 255);
        regex_nodes[node].set[0] &= ~(1u << '\n');
    } else if (letter == '\\') {
        allow_escape(regex_nodes[node].set, (unsigned char)*regex_at++);
    } else {
        allow(regex_nodes[node].set, letter, letter);
    }
    return node;
}

static int regex_number(void)
{
    int number = 0;
    while (*regex_at >= '0' && *regex_at <= '9')
        number = number * 10 + (*regex_at++ - '0');
    return number;
}

static int regex_repeated(void)
{
    int node = regex_atom();
    for (;;) {
        int least = 0, most = MANY;
        if (*regex_at == '?') {
            most = 1;
        } else if (*regex_at == '+') {
            least = 1;
        } else if (*regex_at == '{') {
            regex_at++;
            least = most = regex_number();
            if (*regex_at == ',') {
                regex_at++;
                most = *regex_at == '}' ? MANY : regex_number();
            }
            CHECK(*regex_at == '}', "a number of times is not closed");
        } else if (*regex_at != '*') {
            return node;
        }
        regex_at++;
        node = regex_node(R_REPEAT, node, 0);
        regex_nodes[node].least = least;
        regex_nodes[node].most = most;
        if (*regex_at == '?') {
            regex_nodes[node].lazy = 1;
            regex_at++;
        }
    }
}

static int regex_alternatives(void)
{
    int node = regex_node(R_EMPTY, 0, 0);
    while (*regex_at && *regex_at != '|' && *regex_at != ')') {
        int next = regex_repeated();
        node = regex_nodes[node].kind == R_EMPTY ? next : regex_node(R_JOIN, node, next);
    }
    if (*regex_at != '|')
        return node;
    regex_at++;
    int other = regex_alternatives();
    return regex_node(R_EITHER, node, other);
}

static RegexInstruction *regex_emit(RegexOperation operation)
{
    CHECK(regex_length < REGEX_PROGRAM, "too long an expression");
    RegexInstruction *instruction = &regex_program[regex_length++];
    memset(instruction, 0, sizeof *instruction);
    instruction->operation = operation;
    return instruction;
}

/* A split between going on here and what is set later, whichever is preferred. */
static void regex_skip(RegexInstruction *split, int here, int later, int lazy)
{
    split->first = lazy ? later : here;
    split->second = lazy ? here : later;
}

static void regex_compile(int number)
{
    const RegexNode *node = &regex_nodes[number];
    RegexInstruction *split, *jump;
    switch (node->kind) {
    case R_EMPTY: break;
    case R_SET: regex_emit(I_SET)->set = node->set; break;
    case R_START: regex_emit(I_START); break;
    case R_END: regex_emit(I_END); break;
    case R_JOIN:
        regex_compile(node->left);
        regex_compile(node->right);
        break;
    case R_EITHER:
        split = regex_emit(I_SPLIT);
        split->first = regex_length;
        regex_compile(node->left);
        jump = regex_emit(I_JUMP);
        split->second = regex_length;
        regex_compile(node->right);
        jump->first = regex_length;
        break;
    case R_REPEAT:
        for (int i = 0; i < node->least; i++)
            regex_compile(node->left);
        if (node->most == MANY) {
            int start = regex_length;
            split = regex_emit(I_SPLIT);
            regex_compile(node->left);
            regex_emit(I_JUMP)->first = start;
            regex_skip(split, start + 1, regex_length, node->lazy);
        }
        for (int i = node->least; i < node->most; i++) {
            split = regex_emit(I_SPLIT);
            int here = regex_length;
            regex_compile(node->left);
            regex_skip(split, here, regex_length, node->lazy);
        }
        break;
    }
}
