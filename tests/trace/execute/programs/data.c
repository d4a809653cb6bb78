/* Structures by value, unions, bit fields, long double, complex, varargs, trees on the heap. */
#include <complex.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct point { double x, y, z; char name[13]; };
struct small { short a; char b; };
struct bits { unsigned a : 3, b : 11, c : 18; int d : 5; };
union word { float real; unsigned whole; unsigned char bytes[4]; };
struct tree { struct tree *left, *right; int key; };

static struct point moved(struct point p, double by) {
    p.x += by;
    p.y -= by;
    strcat(p.name, "+");
    return p;
}

static struct small swapped(struct small s) { return (struct small){s.b, (char)s.a}; }

static double total(int n, ...) {
    va_list all, again;
    double sum = 0;
    va_start(all, n);
    va_copy(again, all);
    for (int i = 0; i < n; i++) sum += i % 2 ? va_arg(all, double) : va_arg(all, int);
    for (int i = 0; i < n; i++) sum += i % 2 ? va_arg(again, double) : va_arg(again, int);
    va_end(again);
    va_end(all);
    return sum;
}

static struct tree *insert(struct tree *t, int key) {
    if (!t) {
        t = calloc(1, sizeof *t);
        t->key = key;
    } else if (key < t->key) t->left = insert(t->left, key);
    else t->right = insert(t->right, key);
    return t;
}

static int walk(const struct tree *t, int depth) {
    if (!t) return depth;
    int a = walk(t->left, depth + 1), b;
    printf("%d ", t->key);
    b = walk(t->right, depth + 1);
    return a > b ? a : b;
}

static void release(struct tree *t) {
    if (t) { release(t->left); release(t->right); free(t); }
}

int main(void) {
    struct point p = {1, 2, 3, "p"}, q = moved(moved(p, 0.5), 0.25), r;
    r = q;
    printf("%g %g %g %s %s\n", q.x, q.y, r.z, q.name, p.name);
    struct small s = swapped((struct small){65, 66});
    printf("%d %d\n", s.a, s.b);
    struct bits b = {5, 1027, 131071, -7};
    b.b++; b.d += 9;
    printf("%u %u %u %d\n", b.a, b.b, b.c, b.d);
    union word w = {.real = -1.5f};
    w.bytes[0] ^= 1;
    printf("%08x %.9g\n", w.whole, w.real);
    long double third = 1.0L / 3, sum = 0;
    long double table[7];
    for (int i = 0; i < 7; i++) sum += table[i] = third * i;
    printf("%.20Lg\n", sum);
    double complex z = 1, step = cexp(I * 0.5), line[5];
    for (int i = 0; i < 5; i++) line[i] = z *= step;
    printf("%.12f %.12f\n", creal(line[4]), cimag(line[4]));
    printf("%g\n", total(6, 1, 2.5, 3, 4.5, 5, 6.5));
    struct tree *t = 0;
    for (unsigned i = 0, key = 7; i < 40; i++, key = key * 75 % 101) t = insert(t, (int)key);
    printf("depth %d\n", walk(t, 0));
    release(t);
    char text[200];
    memset(text, '-', sizeof text);
    memmove(text + 3, "overlapping", 11);
    memmove(text + 5, text + 3, 20);
    printf("%.30s\n", text);
    return 0;
}
