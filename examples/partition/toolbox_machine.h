/* The machine that runs the code of toolbox_script.h: a stack, frames in it, and a memory. */
#include "toolbox_common.h"

enum { STACK = 2000, CALLS = 500, PRINTED = 64 };

static int32_t stack[STACK], memory[MEMORY], printed[PRINTED];
static int printed_count;
static struct {
    int at, frame;
} calls[CALLS];

/* What 32 bits mean as a number with a sign. */
static int32_t signed_word(uint32_t bits)
{
    return bits < 0x80000000u ? (int32_t)bits : -(int32_t)(~bits) - 1;
}

/* Results wrap around; shifts count modulo 32, and those to the right repeat the sign. */
static int32_t calculated(Operation operation, int32_t a, int32_t b)
{
    uint32_t x = (uint32_t)a, y = (uint32_t)b;
    switch (operation) {
    case M_NEGATE: return signed_word(0u - x);
    case M_NOT: return !a;
    case M_INVERT: return signed_word(~x);
    case M_ADD: return signed_word(x + y);
    case M_SUBTRACT: return signed_word(x - y);
    case M_MULTIPLY: return signed_word(x * y);
    case M_DIVIDE: return b == -1 ? signed_word(0u - x) : a / b;
    case M_REMAINDER: return b == -1 ? 0 : a % b;
    case M_LEFT: return signed_word(x << (y & 31));
    case M_RIGHT: return signed_word(a < 0 ? ~(~x >> (y & 31)) : x >> (y & 31));
    case M_BIT_AND: return signed_word(x & y);
    case M_BIT_OR: return signed_word(x | y);
    case M_BIT_XOR: return signed_word(x ^ y);
    case M_EQUAL: return a == b;
    case M_UNEQUAL: return a != b;
    case M_LESS: return a < b;
    case M_AT_MOST: return a <= b;
    case M_GREATER: return a > b;
    case M_AT_LEAST: return a >= b;
    default: fail("no such operation"); return 0;
    }
}

/* Runs from the start and returns how many instructions that took. A frame has the arguments of a
   function and then its other variables. */
static uint32_t run_code(void)
{
    int at = 0, top = 0, frame = 0, depth = 0;
    uint32_t steps = 0;
    printed_count = 0;
    memset(memory, 0, sizeof memory);
    for (;; steps++) {
        const Instruction *now = &code[at++];
        int32_t operand = now->operand, value;
        CHECK(top < STACK - NAMES, "the stack is full");
        switch (now->operation) {
        case M_PUSH: stack[top++] = operand; break;
        case M_DROP: top--; break;
        case M_LOCAL: stack[top++] = stack[frame + operand]; break;
        case M_SET_LOCAL: stack[frame + operand] = stack[--top]; break;
        case M_GLOBAL: stack[top++] = memory[operand]; break;
        case M_SET_GLOBAL: memory[operand] = stack[--top]; break;
        case M_ELEMENT:
            value = stack[top - 1];
            CHECK(value >= 0 && value < MEMORY - operand, "an index is too large");
            stack[top - 1] = memory[operand + value];
            break;
        case M_SET_ELEMENT:
            value = stack[top - 2];
            CHECK(value >= 0 && value < MEMORY - operand, "an index is too large");
            memory[operand + value] = stack[top - 1];
            top -= 2;
            break;
        case M_JUMP: at = operand; break;
        case M_JUMP_IF_ZERO:
            if (stack[--top] == 0)
                at = operand;
            break;
        case M_AND:
            if (stack[top - 1] == 0)
                at = operand;
            else
                top--;
            break;
        case M_OR:
            if (stack[top - 1] != 0)
                at = operand;
            else
                top--;
            break;
        case M_CALL:
            CHECK(depth < CALLS, "too many calls in calls");
            calls[depth].at = at;
            calls[depth++].frame = frame;
            at = operand;
            break;
        case M_FRAME: frame = top - operand; break;
        case M_ENTER:
            for (; operand > 0; operand--)
                stack[top++] = 0;
            break;
        case M_RETURN:
            stack[frame] = stack[top - 1];
            top = frame + 1;
            at = calls[--depth].at;
            frame = calls[depth].frame;
            break;
        case M_PRINT:
            CHECK(printed_count < PRINTED, "a script prints too much");
            printed[printed_count++] = stack[--top];
            break;
        case M_HALT: return steps;
        case M_NEGATE:
        case M_NOT:
        case M_INVERT: stack[top - 1] = calculated(now->operation, stack[top - 1], 0); break;
        case M_DIVIDE:
        case M_REMAINDER: CHECK(stack[top - 1] != 0, "a script divides by zero"); /* fall through */
        default:
            top--;
            stack[top - 1] = calculated(now->operation, stack[top - 1], stack[top]);
        }
    }
}
