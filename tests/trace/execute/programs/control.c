/* switch with fall-through, Duff's device, computed goto, an irreducible loop, a VLA. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int falls(int n) {
    int seen = 0;
    switch (n) {
    case 0: seen += 1;
    case 1: seen += 10; break;
    case 2: case 3: seen += 100;
    default: seen += 1000;
    }
    return seen;
}

static void duff(char *to, const char *from, int count) {
    int n = (count + 7) / 8;
    switch (count % 8) {
    case 0: do { *to++ = *from++;
    case 7: *to++ = *from++;
    case 6: *to++ = *from++;
    case 5: *to++ = *from++;
    case 4: *to++ = *from++;
    case 3: *to++ = *from++;
    case 2: *to++ = *from++;
    case 1: *to++ = *from++;
        } while (--n > 0);
    }
}

static long interpret(const unsigned char *code) {
    static const void *const actions[] = {&&add, &&twice, &&back, &&end};
    long value = 1;
    int rounds = 3, at = 0;
    goto *actions[code[at]];
add: value += 3; goto *actions[code[++at]];
twice: value *= 2; goto *actions[code[++at]];
back: if (rounds-- > 0) at = -1; goto *actions[code[++at]];
end: return value;
}

static int irreducible(int a, int n) {
    int x = 0, i = 0;
    if (a) goto middle;
top: x += 2;
middle: x += 1;
    if (++i < n) goto top;
    return x;
}

static double vla(int n) {
    double rows[n][n], sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) rows[i][j] = i * 10 + j;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) sum += rows[i][j] / (j + 1);
    return sum;
}

int main(void) {
    char to[64] = {0};
    for (int i = -1; i < 6; i++) printf("%d ", falls(i));
    duff(to, "the quick brown fox jumps over the lazy dog", 43);
    puts(to);
    printf("%ld\n", interpret((const unsigned char[]){0, 1, 0, 2, 3}));
    printf("%d %d\n", irreducible(0, 9), irreducible(1, 9));
    for (int n = 1; n < 9; n++) printf("%.6f ", vla(n));
    puts("");
    int i = 0;
    do { if (i == 3) continue; printf("%d", i); } while (++i < 6);
    while (1) { if (i++ > 12) break; }
    printf(" %d\n", i);
    return 3;
}
