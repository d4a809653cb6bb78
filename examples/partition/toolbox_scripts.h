/* What the language of toolbox_script.h is good for. */
#include "toolbox_common.h"

#define TEXT_OF_VALUE(x) #x
#define TEXT_OF(x) TEXT_OF_VALUE(x)

/* Declarations and functions of all scripts. */
static const char script[] =
    "var n = " TEXT_OF(SIZE) "; var sieve[" TEXT_OF(SIZE) "]; var x[" TEXT_OF(SIZE) "];\n"
    "var a[36]; var b[36]; var c[36];\n"
    "fn primes() {\n"
    "    var i = 2; var count = 0;\n"
    "    while (i < n) {\n"
    "        if (!sieve[i]) {\n"
    "            count = count + 1;\n"
    "            var j = i * i;\n"
    "            while (j < n) { sieve[j] = 1; j = j + i; }\n"
    "        }\n"
    "        i = i + 1;\n"
    "    }\n"
    "    return count;\n"
    "}\n"
    "fn steps(k) {  # of Collatz, from k to 1\n"
    "    var count = 0;\n"
    "    while (1) {\n"
    "        if (k == 1) { break; }\n"
    "        if (k & 1) { k = 3 * k + 1; } else { k = k >> 1; }\n"
    "        count = count + 1;\n"
    "    }\n"
    "    return count;\n"
    "}\n"
    "fn most_steps() {\n"
    "    var best = 1; var k = 2;\n"
    "    while (k < n) { if (steps(k) > steps(best)) { best = k; } k = k + 7; }\n"
    "    return best;\n"
    "}\n"
    "fn queens(size, columns, left, right) {\n"
    "    if (columns == (1 << size) - 1) { return 1; }\n"
    "    var free = ~(columns | left | right) & ((1 << size) - 1); var ways = 0;\n"
    "    while (free) {\n"
    "        var bit = free & -free;\n"
    "        ways = ways + queens(size, columns | bit, (left | bit) << 1, (right | bit) >> 1);\n"
    "        free = free ^ bit;\n"
    "    }\n"
    "    return ways;\n"
    "}\n"
    "fn sort(low, high) {\n"
    "    if (low >= high) { return 0; }\n"
    "    var i = low; var j = high; var pivot = x[(low + high) / 2];\n"
    "    while (i <= j) {\n"
    "        while (x[i] < pivot) { i = i + 1; }\n"
    "        while (x[j] > pivot) { j = j - 1; }\n"
    "        if (i <= j) { var kept = x[i]; x[i] = x[j]; x[j] = kept; i = i + 1; j = j - 1; }\n"
    "    }\n"
    "    sort(low, j); sort(i, high);\n"
    "}\n"
    "fn gcd(p, q) { while (q) { var rest = p % q; p = q; q = rest; } return p; }\n"
    "fn fibonacci(k) { if (k < 2) { return k; } return fibonacci(k - 1) + fibonacci(k - 2); }\n"
    "fn ackermann(p, q) {\n"
    "    if (p == 0) { return q + 1; }\n"
    "    if (q == 0) { return ackermann(p - 1, 1); }\n"
    "    return ackermann(p - 1, ackermann(p, q - 1));\n"
    "}\n"
    "fn multiply() {\n"
    "    var i = 0;\n"
    "    while (i < 36) {\n"
    "        var k = 0;\n"
    "        c[i] = 0;\n"
    "        while (k < 6) { c[i] = c[i] + a[i - i % 6 + k] * b[6 * k + i % 6]; k = k + 1; }\n"
    "        i = i + 1;\n"
    "    }\n"
    "}\n"
    "print primes(); print most_steps(); print queens(6, 0, 0, 0);\n"
    "var seed = 1; var i = 0;\n"
    "while (i < n) { seed = seed * 1103515245 + 12345; x[i] = seed >> 16; i = i + 1; }\n"
    "sort(0, n - 1);\n"
    "var hash = 0; i = 0;\n"
    "while (i < n) { hash = hash * 31 ^ x[i]; i = i + 1; }\n"
    "print hash; print gcd(1071, 462 * 5); print fibonacci(13); print ackermann(2, 3);\n"
    "i = 0;\n"
    "while (i < 36) { a[i] = i * i % 11 - 3; b[i] = 7 - i * 5 % 13; i = i + 1; }\n"
    "multiply(); i = 0; hash = 0;\n"
    "while (i < 36) { hash = hash * 33 + c[i]; i = i + 1; }\n"
    "print hash;\n";

/* Expressions in numbers and the variables p = -7 and q = 3, once to be folded and once not. */
static const char *const expressions_to_print[] = {
    "p / q",      "p % q",          "p * q - 2 << 3",  "p >> 1",           "p & q | 8 ^ 2",
    "!p == 0",    "~p + -q",        "p < q && q || 5", "p > q || q == 3",  "(p + q) * (p - q) / 2",
    "1 << 31",    "p - q - 1",      "p != q & 1",      "p <= -7 && q >= 4", "2147483647 % q * p",
};

static void add_expression(char *out, const char *text, int folded)
{
    out += sprintf(out, "print ");
    for (; *text; text++)
        if (folded && (*text == 'p' || *text == 'q'))
            out += sprintf(out, "%s", *text == 'p' ? "(-7)" : "3");
        else
            *out++ = *text;
    strcpy(out, ";\n");
}

static void try_script(void)
{
    static char text[2000];
    compile_script(script);
    int size = code_size;
    uint32_t steps = run_code();
    printf("script");
    for (int i = 0; i < printed_count; i++)
        printf(" %ld", (long)printed[i]);
    printf("\nmachine %d %u\n", size, (unsigned)steps);
    strcpy(text, "var p = -7; var q = 3;\n");
    const int count = (int)(sizeof expressions_to_print / sizeof *expressions_to_print);
    for (int i = 0; i < 2 * count; i++)
        add_expression(text + strlen(text), expressions_to_print[i / 2], i % 2);
    compile_script(text);
    run_code();
    printf("expressions");
    for (int i = 0; i < count; i++) {
        CHECK(printed[2 * i] == printed[2 * i + 1], "a folded constant differs");
        printf(" %ld", (long)printed[2 * i]);
    }
    printf("\n");
}
