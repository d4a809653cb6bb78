/* Recursion, function pointers, callbacks of the C library, setjmp and longjmp, early exit. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf place;
static int numbers[12];

static int ackermann(int m, int n) {
    return m == 0 ? n + 1 : ackermann(m - 1, n ? ackermann(m, n - 1) : 1);
}

static int even(int n);
static int odd(int n) { return n ? even(n - 1) : 0; }
static int even(int n) { return n ? odd(n - 1) : 1; }

static int upwards(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int downwards(const void *a, const void *b) {
    int difference = 0;
    for (int i = 0; i < 2; i++) difference += *(const int *)b - *(const int *)a;
    return difference;
}

static void dive(int depth) {
    if (depth > 5) return;
    for (int i = 0; i < 3; i++) {
        numbers[i] += depth;
        if (depth == 5 && i == 1) longjmp(place, 42 + depth);
        dive(depth + 1);
    }
}

static void queens(int row, int n, int *columns, int *found) {
    if (row == n) { ++*found; return; }
    for (int c = 0; c < n; c++) {
        int free = 1;
        for (int r = 0; r < row; r++)
            if (columns[r] == c || abs(columns[r] - c) == row - r) free = 0;
        if (free) { columns[row] = c; queens(row + 1, n, columns, found); }
    }
}

static void leaving(void) { printf("leaving %d\n", numbers[0]); }

int main(int argc, char **argv) {
    int (*orders[])(const void *, const void *) = {upwards, downwards};
    atexit(leaving);
    printf("%s %d:", argv[0], argc);
    for (int i = 1; i < argc; i++) printf(" [%s]", argv[i]);
    puts("");
    printf("%d %d\n", ackermann(2, 3), even(11));
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 12; i++) numbers[i] = i * 7 % 12;
        qsort(numbers, 12, sizeof *numbers, orders[k]);
        for (int i = 0; i < 12; i++) printf("%d ", numbers[i]);
        puts("");
    }
    for (int again = 0; again < 2; again++) {
        int came = setjmp(place);
        if (!came) dive(0);
        numbers[3] += came;
        for (int i = 0; i < 4; i++) printf("%d ", numbers[i]);
        printf("back with %d\n", came);
    }
    int columns[6], found = 0;
    queens(0, 6, columns, &found);
    printf("%d\n", found);
    char line[100];
    int lines = 0, letters = 0;
    while (fgets(line, sizeof line, stdin)) { lines++; letters += (int)strlen(line); }
    printf("%d lines, %d letters\n", lines, letters);
    for (int i = 0;; i++)
        if (i * i > 50) exit(i);
}
