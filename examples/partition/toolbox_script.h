/* A small language, compiled in one pass to the code of toolbox_machine.h.

   Values are whole numbers of 32 bits. There are functions with parameters and local variables,
   global variables and arrays, if, while, break, return, print, calls, and C's operators with C's
   precedence; && and || stop as soon as they can and yield what they saw last. Constants are
   folded. */
#include "toolbox_common.h"

enum { CODE = 2000, NAMES = 100, MEMORY = 4 * SIZE + 400, BREAKS = 16 };

typedef enum {
    M_PUSH, M_LOCAL, M_SET_LOCAL, M_GLOBAL, M_SET_GLOBAL, M_ELEMENT, M_SET_ELEMENT, M_DROP,
    M_JUMP, M_JUMP_IF_ZERO, M_AND, M_OR, M_CALL, M_FRAME, M_ENTER, M_RETURN, M_PRINT, M_HALT,
    M_NEGATE, M_NOT, M_INVERT,
    M_ADD, M_SUBTRACT, M_MULTIPLY, M_DIVIDE, M_REMAINDER, M_LEFT, M_RIGHT, M_BIT_AND, M_BIT_OR,
    M_BIT_XOR, M_EQUAL, M_UNEQUAL, M_LESS, M_AT_MOST, M_GREATER, M_AT_LEAST
} Operation;

typedef struct {
    Operation operation;
    int32_t operand;
} Instruction;

typedef enum { N_GLOBAL, N_ARRAY, N_LOCAL, N_FUNCTION } NameKind;

typedef struct {
    char text[NAME_LENGTH];
    NameKind kind;
    int32_t place; /* in memory, in the frame, or in the code */
    int count;     /* of elements or parameters */
} Name;

static Instruction code[CODE];
static int code_size, code_target; /* where a jump may lead, so that nothing before is changed */
static Name names[NAMES];
static int names_count, memory_used, locals_used, in_function;
static int breaks[BREAKS], breaks_count, loops;

static int32_t calculated(Operation operation, int32_t a, int32_t b);

static int emit(Operation operation, int32_t operand)
{
    CHECK(code_size < CODE, "too long a script");
    code[code_size].operation = operation;
    code[code_size].operand = operand;
    return code_size++;
}

static void lands_here(int jump)
{
    code[jump].operand = code_target = code_size;
}

static void emit_unary(Operation operation)
{
    if (code_size > code_target && code[code_size - 1].operation == M_PUSH)
        code[code_size - 1].operand = calculated(operation, code[code_size - 1].operand, 0);
    else
        emit(operation, 0);
}

static void emit_binary(Operation operation)
{
    Instruction *a = &code[code_size - 2], *b = &code[code_size - 1];
    int known = code_size - 2 >= code_target && a->operation == M_PUSH && b->operation == M_PUSH;
    if (known && !((operation == M_DIVIDE || operation == M_REMAINDER) && b->operand == 0)) {
        a->operand = calculated(operation, a->operand, b->operand);
        code_size--;
    } else {
        emit(operation, 0);
    }
}

static Name *name_of(const char *text)
{
    for (int i = names_count - 1; i >= 0; i--)
        if (!strcmp(names[i].text, text))
            return &names[i];
    fprintf(stderr, "toolbox: a script has no '%s'\n", text);
    exit(1);
}

static Name *declare(NameKind kind, int32_t place, int count)
{
    CHECK(token == T_NAME && names_count < NAMES, "a name is due");
    Name *name = &names[names_count++];
    strcpy(name->text, token_text);
    name->kind = kind;
    name->place = place;
    name->count = count;
    advance();
    return name;
}

static void expression(int level);

static void call(const Name *function)
{
    int given = 0;
    need("(");
    while (!takes(")")) {
        if (given++ > 0)
            need(",");
        expression(0);
    }
    CHECK(given == function->count, "a call with too many or too few arguments");
    emit(M_CALL, function->place);
}

static void primary(void)
{
    if (token == T_NUMBER) {
        emit(M_PUSH, token_number);
        advance();
    } else if (takes("(")) {
        expression(0);
        need(")");
    } else if (takes("-")) {
        primary();
        emit_unary(M_NEGATE);
    } else if (takes("!")) {
        primary();
        emit_unary(M_NOT);
    } else if (takes("~")) {
        primary();
        emit_unary(M_INVERT);
    } else {
        const Name *name = name_of(token_text);
        advance();
        switch (name->kind) {
        case N_LOCAL: emit(M_LOCAL, name->place); break;
        case N_GLOBAL: emit(M_GLOBAL, name->place); break;
        case N_FUNCTION: call(name); break;
        case N_ARRAY:
            need("[");
            expression(0);
            need("]");
            emit(M_ELEMENT, name->place);
            break;
        }
    }
}

/* Operators of a level and above; those of a level are taken from left to right. */
static void expression(int level)
{
    static const struct {
        const char *sign;
        int level;
        Operation operation;
    } operators[] = {
        {"||", 0, M_OR},       {"&&", 1, M_AND},     {"|", 2, M_BIT_OR},     {"^", 3, M_BIT_XOR},
        {"&", 4, M_BIT_AND},   {"==", 5, M_EQUAL},   {"!=", 5, M_UNEQUAL},   {"<", 6, M_LESS},
        {"<=", 6, M_AT_MOST},  {">", 6, M_GREATER},  {">=", 6, M_AT_LEAST},  {"<<", 7, M_LEFT},
        {">>", 7, M_RIGHT},    {"+", 8, M_ADD},      {"-", 8, M_SUBTRACT},   {"*", 9, M_MULTIPLY},
        {"/", 9, M_DIVIDE},    {"%", 9, M_REMAINDER},
    };
    const size_t count = sizeof operators / sizeof *operators;
    primary();
    for (;;) {
        size_t i = 0;
        while (i < count && (token != T_SIGN || strcmp(token_text, operators[i].sign) != 0))
            i++;
        if (i == count || operators[i].level < level)
            return;
        advance();
        Operation operation = operators[i].operation;
        int jump = -1;
        if (operation == M_AND || operation == M_OR)
            jump = emit(operation, 0);
        expression(operators[i].level + 1);
        if (jump >= 0)
            lands_here(jump);
        else
            emit_binary(operation);
    }
}

static void block(void);

static void assignment_or_call(void)
{
    const Name *name = name_of(token_text);
    advance();
    if (name->kind == N_FUNCTION) {
        call(name);
        emit(M_DROP, 0);
        return;
    }
    if (name->kind == N_ARRAY) {
        need("[");
        expression(0);
        need("]");
    }
    need("=");
    expression(0);
    if (name->kind == N_ARRAY)
        emit(M_SET_ELEMENT, name->place);
    else
        emit(name->kind == N_LOCAL ? M_SET_LOCAL : M_SET_GLOBAL, name->place);
}

static void variable(void)
{
    int *used = in_function ? &locals_used : &memory_used;
    Name *name = declare(in_function ? N_LOCAL : N_GLOBAL, (*used)++, 0);
    if (takes("[")) {
        CHECK(!in_function && token == T_NUMBER, "an array is global and of known size");
        name->kind = N_ARRAY;
        name->count = token_number;
        memory_used += token_number - 1;
        advance();
        need("]");
    } else if (takes("=")) {
        expression(0);
        emit(in_function ? M_SET_LOCAL : M_SET_GLOBAL, name->place);
    }
    CHECK(memory_used <= MEMORY, "too many variables");
}

static void if_statement(void)
{
    need("(");
    expression(0);
    need(")");
    int otherwise = emit(M_JUMP_IF_ZERO, 0);
    block();
    if (takes("else")) {
        int end = emit(M_JUMP, 0);
        lands_here(otherwise);
        block();
        lands_here(end);
    } else {
        lands_here(otherwise);
    }
}

static void while_statement(void)
{
    int start = code_target = code_size, first_break = breaks_count;
    loops++;
    need("(");
    expression(0);
    need(")");
    int end = emit(M_JUMP_IF_ZERO, 0);
    block();
    emit(M_JUMP, start);
    lands_here(end);
    while (breaks_count > first_break)
        lands_here(breaks[--breaks_count]);
    loops--;
}

static void function(void)
{
    CHECK(!in_function, "a function in a function");
    int over = emit(M_JUMP, 0), outside = names_count + 1;
    Name *name = declare(N_FUNCTION, code_size, 0);
    code_target = code_size;
    in_function = 1;
    locals_used = 0;
    need("(");
    while (!takes(")")) {
        if (name->count++ > 0)
            need(",");
        declare(N_LOCAL, locals_used++, 0);
    }
    emit(M_FRAME, name->count);
    int enter = emit(M_ENTER, 0);
    block();
    emit(M_PUSH, 0);
    emit(M_RETURN, 0);
    code[enter].operand = locals_used - name->count;
    names_count = outside;
    in_function = 0;
    lands_here(over);
}

static void statement(void)
{
    if (takes("fn")) {
        function();
        return;
    }
    if (takes("if")) {
        if_statement();
        return;
    }
    if (takes("while")) {
        while_statement();
        return;
    }
    if (takes("var")) {
        variable();
    } else if (takes("print")) {
        expression(0);
        emit(M_PRINT, 0);
    } else if (takes("return")) {
        CHECK(in_function, "a return outside of functions");
        expression(0);
        emit(M_RETURN, 0);
    } else if (takes("break")) {
        CHECK(loops > 0 && breaks_count < BREAKS, "a break outside of loops");
        breaks[breaks_count++] = emit(M_JUMP, 0);
    } else {
        assignment_or_call();
    }
    need(";");
}

static void block(void)
{
    need("{");
    while (!takes("}")) {
        CHECK(token != T_END, "a block is not closed");
        statement();
    }
}

static void compile_script(const char *text)
{
    code_size = code_target = names_count = memory_used = breaks_count = loops = in_function = 0;
    script_at = text;
    advance();
    while (token != T_END)
        statement();
    emit(M_HALT, 0);
}
