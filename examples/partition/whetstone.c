/* The Whetstone benchmark: H. J. Curnow and B. A. Wichmann, "A synthetic benchmark", The Computer
   Journal 19 (1976), written in C.

   Its modules mimic the mix of operations counted in programs of the National Physical Laboratory;
   each runs a published number of times, LOOPS times over. Modules 1 and 10 have weight zero, as
   published; module 5 was left out there already. The variables of the program's common block are
   global here.

   main runs the modules and prints after each what the original does: three integers, the first of
   which says how often it ran, and four numbers. With LOOPS 10, a million Whetstone instructions,
   these are published. */
#include <math.h>
#include <stdio.h>

#ifndef LOOPS
#define LOOPS 50
#endif

static const double t = 0.499975, t1 = 0.50025, t2 = 2.0;
static double simple[4] = {1, -1, -1, -1}, e1[4];
static int j, k, l;

static void print(int n, int first, int second, double a, double b, double c, double d)
{
    printf("%d %d %d %.6e %.6e %.6e %.6e\n", n, first, second, a, b, c, d);
}

static void print_array(int n, int first, int second, const double e[4])
{
    print(n, first, second, e[0], e[1], e[2], e[3]);
}

/* The procedures of the original: pa of module 3, p3 of module 8, p0 of module 9. */
static void pa(double e[4])
{
    for (int i = 0; i < 6; i++) {
        e[0] = (e[0] + e[1] + e[2] - e[3]) * t;
        e[1] = (e[0] + e[1] - e[2] + e[3]) * t;
        e[2] = (e[0] - e[1] + e[2] + e[3]) * t;
        e[3] = (-e[0] + e[1] + e[2] + e[3]) / t2;
    }
}

static void p3(double x, double y, double *z)
{
    double first = t * (x + y);
    double second = t * (first + y);
    *z = (first + second) / t2;
}

static void p0(void)
{
    e1[j - 1] = e1[k - 1];
    e1[k - 1] = e1[l - 1];
    e1[l - 1] = e1[j - 1];
}

static void module1_simple_identifiers(int n)
{
    double a = simple[0], b = simple[1], c = simple[2], d = simple[3];
    for (int i = 0; i < n; i++) {
        a = (a + b + c - d) * t;
        b = (a + b - c + d) * t;
        c = (a - b + c + d) * t;
        d = (-a + b + c + d) * t;
    }
    simple[0] = a, simple[1] = b, simple[2] = c, simple[3] = d;
    print_array(n, n, n, simple);
}

static void module2_array_elements(int n, int next)
{
    e1[0] = 1, e1[1] = -1, e1[2] = -1, e1[3] = -1;
    for (int i = 0; i < n; i++) {
        e1[0] = (e1[0] + e1[1] + e1[2] - e1[3]) * t;
        e1[1] = (e1[0] + e1[1] - e1[2] + e1[3]) * t;
        e1[2] = (e1[0] - e1[1] + e1[2] + e1[3]) * t;
        e1[3] = (-e1[0] + e1[1] + e1[2] + e1[3]) * t;
    }
    print_array(n, next, n, e1);
}

static void module3_array_as_parameter(int n, int before)
{
    for (int i = 0; i < n; i++)
        pa(e1);
    print_array(n, before, before, e1);
}

static void module4_conditional_jumps(int n)
{
    j = 1;
    for (int i = 0; i < n; i++) {
        if (j == 1)
            j = 2;
        else
            j = 3;
        if (j > 2)
            j = 0;
        else
            j = 1;
        if (j < 1)
            j = 1;
        else
            j = 0;
    }
    print_array(n, j, j, simple);
}

static void module6_integer_arithmetic(int n)
{
    j = 1, k = 2, l = 3;
    for (int i = 0; i < n; i++) {
        j = j * (k - j) * (l - k);
        k = l * k - (l - j) * k;
        l = (l - k) * (k + j);
        e1[l - 2] = j + k + l;
        e1[k - 2] = j * k * l;
    }
    print_array(n, j, k, e1);
}

static void module7_trigonometric_functions(int n)
{
    double x = 0.5, y = 0.5;
    for (int i = 0; i < n; i++) {
        x = t * atan(t2 * sin(x) * cos(x) / (cos(x + y) + cos(x - y) - 1));
        y = t * atan(t2 * sin(y) * cos(y) / (cos(x + y) + cos(x - y) - 1));
    }
    print(n, j, k, x, x, y, y);
}

static void module8_procedure_calls(int n)
{
    double x = 1, y = 1, z = 1;
    for (int i = 0; i < n; i++)
        p3(x, y, &z);
    print(n, j, k, x, y, z, z);
}

static void module9_array_references(int n)
{
    j = 1, k = 2, l = 3;
    e1[0] = 1, e1[1] = 2, e1[2] = 3;
    for (int i = 0; i < n; i++)
        p0();
    print_array(n, j, k, e1);
}

static void module10_integer_arithmetic(int n)
{
    j = 2, k = 3;
    for (int i = 0; i < n; i++) {
        j = j + k;
        k = j + k;
        j = k - j;
        k = k - j - j;
    }
    print_array(n, j, k, simple);
}

static void module11_standard_functions(int n)
{
    double x = 0.75;
    for (int i = 0; i < n; i++)
        x = sqrt(exp(log(x) / t1));
    print(n, j, k, x, x, x, x);
}

int main(void)
{
    module1_simple_identifiers(0 * LOOPS);
    module2_array_elements(12 * LOOPS, 14 * LOOPS);
    module3_array_as_parameter(14 * LOOPS, 12 * LOOPS);
    module4_conditional_jumps(345 * LOOPS);
    module6_integer_arithmetic(210 * LOOPS);
    module7_trigonometric_functions(32 * LOOPS);
    module8_procedure_calls(899 * LOOPS);
    module9_array_references(616 * LOOPS);
    module10_integer_arithmetic(0 * LOOPS);
    module11_standard_functions(93 * LOOPS);
    return 0;
}
