/* Natural numbers of any size, by digits of 32 bits; division after Knuth, The Art of Computer
   Programming 2, 4.3.1, Algorithm D. */
#include "toolbox_common.h"

enum { DIGITS = 160, DECIMALS = 10 * DIGITS };

/* The lowest digit first; the highest is not 0. */
typedef struct {
    int count;
    uint32_t digit[DIGITS];
} Big;

static void trim(Big *x)
{
    while (x->count > 0 && x->digit[x->count - 1] == 0)
        x->count--;
}

static void set_small(Big *x, uint32_t value)
{
    x->count = value > 0;
    x->digit[0] = value;
}

static int compare_big(const Big *a, const Big *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (int i = a->count - 1; i >= 0; i--)
        if (a->digit[i] != b->digit[i])
            return a->digit[i] < b->digit[i] ? -1 : 1;
    return 0;
}

static void add_big(const Big *a, const Big *b, Big *sum)
{
    if (a->count < b->count) {
        const Big *kept = a;
        a = b;
        b = kept;
    }
    uint64_t carry = 0;
    for (int i = 0; i < a->count; i++) {
        carry += (uint64_t)a->digit[i] + (i < b->count ? b->digit[i] : 0);
        sum->digit[i] = (uint32_t)carry;
        carry >>= 32;
    }
    sum->count = a->count;
    if (carry) {
        CHECK(sum->count < DIGITS, "a number is too large");
        sum->digit[sum->count++] = (uint32_t)carry;
    }
}

/* a - b, which must not be negative. */
static void subtract_big(const Big *a, const Big *b, Big *difference)
{
    uint32_t borrow = 0;
    for (int i = 0; i < a->count; i++) {
        uint64_t taken = (uint64_t)(i < b->count ? b->digit[i] : 0) + borrow;
        borrow = a->digit[i] < taken;
        difference->digit[i] = (uint32_t)(a->digit[i] - taken);
    }
    CHECK(!borrow, "a difference is negative");
    difference->count = a->count;
    trim(difference);
}

/* The product must be neither of the factors. */
static void multiply_big(const Big *a, const Big *b, Big *product)
{
    CHECK(a->count + b->count <= DIGITS, "a number is too large");
    product->count = a->count + b->count;
    for (int i = 0; i < product->count; i++)
        product->digit[i] = 0;
    for (int i = 0; i < a->count; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < b->count; j++) {
            carry += (uint64_t)a->digit[i] * b->digit[j] + product->digit[i + j];
            product->digit[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        product->digit[i + b->count] = (uint32_t)carry;
    }
    trim(product);
}

/* Divides in place and returns the remainder. */
static uint32_t divide_small(Big *x, uint32_t divisor)
{
    uint64_t rest = 0;
    for (int i = x->count - 1; i >= 0; i--) {
        rest = rest << 32 | x->digit[i];
        x->digit[i] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
    trim(x);
    return (uint32_t)rest;
}

static void shift_up(const Big *x, int bits, Big *shifted)
{
    uint32_t carry = 0;
    for (int i = 0; i < x->count; i++) {
        uint32_t digit = x->digit[i];
        shifted->digit[i] = digit << bits | carry;
        carry = bits ? digit >> (32 - bits) : 0;
    }
    shifted->count = x->count;
    if (carry)
        shifted->digit[shifted->count++] = carry;
}

/* One digit of the quotient: a guess from the highest digits, too large by at most 1, corrected. */
static uint32_t quotient_digit(uint32_t *u, const uint32_t *v, int n)
{
    uint64_t top = (uint64_t)u[n] << 32 | u[n - 1];
    uint64_t guess = top / v[n - 1], rest = top % v[n - 1];
    while (guess >> 32 || guess * v[n - 2] > (rest << 32 | u[n - 2])) {
        guess--;
        rest += v[n - 1];
        if (rest >> 32)
            break;
    }
    uint64_t carry = 0;
    uint32_t borrow = 0;
    for (int i = 0; i < n; i++) {
        carry += guess * v[i];
        uint64_t taken = (carry & 0xffffffffu) + borrow;
        borrow = u[i] < taken;
        u[i] = (uint32_t)(u[i] - taken);
        carry >>= 32;
    }
    uint64_t taken = carry + borrow;
    borrow = u[n] < taken;
    u[n] = (uint32_t)(u[n] - taken);
    if (borrow) {
        guess--;
        carry = 0;
        for (int i = 0; i < n; i++) {
            carry += (uint64_t)u[i] + v[i];
            u[i] = (uint32_t)carry;
            carry >>= 32;
        }
        u[n] += (uint32_t)carry;
    }
    return (uint32_t)guess;
}

static void divide_big(const Big *a, const Big *b, Big *quotient, Big *rest)
{
    CHECK(b->count > 0, "division by zero");
    if (compare_big(a, b) < 0) {
        *rest = *a;
        set_small(quotient, 0);
        return;
    }
    if (b->count == 1) {
        *quotient = *a;
        set_small(rest, divide_small(quotient, b->digit[0]));
        return;
    }
    Big u, v;
    int bits = 0, n = b->count, steps = a->count - n;
    while (!(b->digit[n - 1] << bits & 0x80000000u))
        bits++;
    CHECK(a->count < DIGITS, "a number is too large");
    shift_up(a, bits, &u);
    shift_up(b, bits, &v);
    if (u.count == a->count)
        u.digit[u.count++] = 0;
    for (int i = steps; i >= 0; i--)
        quotient->digit[i] = quotient_digit(u.digit + i, v.digit, n);
    quotient->count = steps + 1;
    trim(quotient);
    for (int i = 0; i < n; i++)
        rest->digit[i] = bits ? u.digit[i] >> bits | u.digit[i + 1] << (32 - bits) : u.digit[i];
    rest->count = n;
    trim(rest);
}

static void power_modulo(const Big *base, const Big *exponent, const Big *modulus, Big *result)
{
    Big product, quotient;
    set_small(result, 1);
    for (int i = exponent->count - 1; i >= 0; i--)
        for (uint32_t bit = 0x80000000u; bit; bit >>= 1) {
            multiply_big(result, result, &product);
            divide_big(&product, modulus, &quotient, result);
            if (exponent->digit[i] & bit) {
                multiply_big(result, base, &product);
                divide_big(&product, modulus, &quotient, result);
            }
        }
}

static void common_divisor(const Big *a, const Big *b, Big *divisor)
{
    Big other = *b, quotient, rest;
    *divisor = *a;
    while (other.count > 0) {
        divide_big(divisor, &other, &quotient, &rest);
        *divisor = other;
        other = rest;
    }
}

static void print_big(const char *name, const Big *x)
{
    char text[DECIMALS + 1];
    Big left = *x;
    int at = DECIMALS;
    text[at] = 0;
    do {
        uint32_t nine = divide_small(&left, 1000000000u);
        for (int i = 0; i < 9 && (left.count > 0 || nine > 0); i++, nine /= 10)
            text[--at] = (char)('0' + nine % 10);
    } while (left.count > 0);
    printf("%s %s\n", name, text[at] ? text + at : "0");
}

static void try_numbers(void)
{
    Big a, b, c, d, e;
    uint32_t state = 33;
    set_small(&a, 1);
    for (uint32_t i = 2; i <= 150; i++) {
        set_small(&b, i);
        multiply_big(&a, &b, &c);
        a = c;
    }
    print_big("factorial", &a);
    set_small(&b, 0);
    set_small(&c, 1);
    for (int i = 0; i < 900; i++) {
        add_big(&b, &c, &d);
        b = c;
        c = d;
    }
    print_big("fibonacci", &b);
    divide_big(&a, &b, &c, &d);
    print_big("quotient", &c);
    print_big("remainder", &d);
    common_divisor(&a, &b, &e);
    print_big("divisor", &e);
    multiply_big(&c, &b, &e);
    add_big(&e, &d, &c);
    CHECK(compare_big(&a, &c) == 0, "a quotient is wrong");
    subtract_big(&a, &b, &e);
    print_big("difference", &e);
    a.count = b.count = 4;
    c.count = 2;
    for (int i = 0; i < 4; i++) {
        a.digit[i] = draw(&state, 1u << 24) | 0x80000000u;
        b.digit[i] = draw(&state, 1u << 24) | 0x80000001u;
        c.digit[i % 2] = draw(&state, 1u << 24) + 1;
    }
    power_modulo(&a, &c, &b, &d);
    print_big("power", &d);
}
