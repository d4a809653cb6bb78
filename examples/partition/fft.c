/* Fast Fourier transform of N complex numbers, N a power of two, and its inverse.

   Iterative, in place, radix 2: bit reversal, then log2 N passes of N / 2 butterflies each, after
   Cooley and Tukey (Mathematics of Computation 19, 1965). Roots of unity are a table. Forward is
   X[k] = sum of x[n] exp(-2 pi i n k / N); the inverse is scaled by 1 / N.

   main transforms reproducible noise, prints a checksum of the spectrum (-DPRINT_RESULTS: input and
   spectrum), transforms it back, and fails if that is not the input again. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 8192
#endif
#if N < 2 || (N & (N - 1)) != 0
#error "N must be a power of two, at least 2"
#endif

typedef struct {
    double re, im;
} Complex;

static Complex roots[N / 2], input[N], data[N];

static void build_roots(void)
{
    const double pi = 3.14159265358979323846;
    for (int k = 0; k < N / 2; k++) {
        roots[k].re = cos(2 * pi * k / N);
        roots[k].im = -sin(2 * pi * k / N);
    }
}

static void reverse_bits(Complex *x)
{
    for (int i = 0, reversed = 0; i < N; i++) {
        if (i < reversed) {
            Complex kept = x[i];
            x[i] = x[reversed];
            x[reversed] = kept;
        }
        int bit = N / 2;
        while (bit > 0 && reversed & bit) {
            reversed ^= bit;
            bit /= 2;
        }
        reversed |= bit;
    }
}

/* sign is 1 forward, -1 for the inverse without its scale. */
static void transform(Complex *x, double sign)
{
    reverse_bits(x);
    for (int half = 1, step = N / 2; half < N; half *= 2, step /= 2)
        for (int first = 0; first < N; first += 2 * half)
            for (int k = 0; k < half; k++) {
                Complex *low = &x[first + k], *high = &x[first + k + half];
                double re = roots[k * step].re, im = sign * roots[k * step].im;
                double turned_re = re * high->re - im * high->im;
                double turned_im = re * high->im + im * high->re;
                high->re = low->re - turned_re;
                high->im = low->im - turned_im;
                low->re += turned_re;
                low->im += turned_im;
            }
}

static void scale(Complex *x, double factor)
{
    for (int i = 0; i < N; i++) {
        x[i].re *= factor;
        x[i].im *= factor;
    }
}

/* Uniform in [-0.5, 0.5), a multiple of 2^-16. */
static double sample(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 16) / 65536.0 - 0.5;
}

static void print(const char *name, const Complex *x)
{
#ifdef PRINT_RESULTS
    for (int i = 0; i < N; i++)
        printf("%s %.17g %.17g\n", name, x[i].re, x[i].im);
#else
    (void)name, (void)x;
#endif
}

int main(void)
{
    uint32_t state = 1;
    for (int i = 0; i < N; i++) {
        input[i].re = sample(&state);
        input[i].im = sample(&state);
        data[i] = input[i];
    }
    print("input", data);
    build_roots();
    transform(data, 1);
    print("spectrum", data);
    double re = 0, im = 0;
    for (int i = 0; i < N; i++) {
        re += data[i].re * (1 + i % 7);
        im += data[i].im * (1 + i % 5);
    }
    printf("checksum %.9g %.9g\n", re, im);
    transform(data, -1);
    scale(data, 1.0 / N);
    double worst = 0;
    for (int i = 0; i < N; i++)
        worst = fmax(worst, fmax(fabs(data[i].re - input[i].re), fabs(data[i].im - input[i].im)));
    int right = worst < 1e-12;
    printf("%s\n", right ? "right" : "wrong");
    return !right;
}
