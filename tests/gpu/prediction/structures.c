/* Cross products and a Mandelbrot set with structures passed and returned by value. With -D PLAIN
   the same with scalars and arrays. */
#include <stdio.h>

#ifndef N
#define N 64
#endif

typedef struct {
    float x, y, z;
} vector;
typedef struct {
    float re, im;
} number;

typedef struct {
    double v[3];
} list;

typedef struct {
    double x, y, z;
} wide;
typedef struct {
    wide place, speed;
} body;

static body bodies[N], later[N];
static vector p[N * N], q[N * N];
static list a[N * N], b[N * N];
static int image[N][N];

static vector cross(vector a, vector b)
{
    vector r;
    r.x = a.y * b.z - a.z * b.y;
    r.y = a.z * b.x - a.x * b.z;
    r.z = a.x * b.y - a.y * b.x;
    return r;
}

static wide plus(wide a, wide b)
{
    wide r = {a.x + b.x, a.y + b.y, a.z + b.z};
    return r;
}

static wide scaled(wide a, double f)
{
    return (wide){a.x * f, a.y * f, a.z * f};
}

static list cyclic(list a, list b)
{
    list r;
    for (int k = 0; k < 3; k++)
        r.v[k] = a.v[(k + 1) % 3] * b.v[(k + 2) % 3] - a.v[(k + 2) % 3] * b.v[(k + 1) % 3];
    return r;
}

static number sum(number a, number b)
{
    number r = {a.re + b.re, a.im + b.im};
    return r;
}

static number product(number a, number b)
{
    number r;
    r.re = a.re * b.re - a.im * b.im;
    r.im = a.re * b.im + a.im * b.re;
    return r;
}

static float norm(number a)
{
    return a.re * a.re + a.im * a.im;
}

static void products(void)
{
#ifdef PLAIN
    for (int i = 0; i < N * N; i++) {
        float ax = p[i].x, ay = p[i].y, az = p[i].z;
        float bx = p[N * N - 1 - i].x, by = p[N * N - 1 - i].y, bz = p[N * N - 1 - i].z;
        q[i].x = ay * bz - az * by;
        q[i].y = az * bx - ax * bz;
        q[i].z = ax * by - ay * bx;
    }
#else
    for (int i = 0; i < N * N; i++)
        q[i] = cross(p[i], p[N * N - 1 - i]);
#endif
}

static void forces(void)
{
#ifdef PLAIN
    for (int i = 0; i < N; i++) {
        double fx = 0, fy = 0, fz = 0;
        for (int j = 0; j < N; j++) {
            fx += bodies[j].place.x * 0.5;
            fy += bodies[j].place.y * 0.5;
            fz += bodies[j].place.z * 0.5;
        }
        later[i].speed.x = bodies[i].speed.x + fx;
        later[i].speed.y = bodies[i].speed.y + fy;
        later[i].speed.z = bodies[i].speed.z + fz;
    }
#else
    for (int i = 0; i < N; i++) {
        wide f = {0, 0, 0}; /* of this the compiler leaves values that nothing reads */
        for (int j = 0; j < N; j++)
            f = plus(f, scaled(bodies[j].place, 0.5));
        later[i].speed = plus(bodies[i].speed, f);
    }
#endif
}

static void lists(void)
{
#ifdef PLAIN
    for (int i = 0; i < N * N; i++) {
        double x[3], y[3], r[3];
        for (int k = 0; k < 3; k++)
            x[k] = a[i].v[k];
        for (int k = 0; k < 3; k++)
            y[k] = a[N * N - 1 - i].v[k];
        for (int k = 0; k < 3; k++)
            r[k] = x[(k + 1) % 3] * y[(k + 2) % 3] - x[(k + 2) % 3] * y[(k + 1) % 3];
        for (int k = 0; k < 3; k++)
            b[i].v[k] = r[k];
    }
#else
    for (int i = 0; i < N * N; i++)
        b[i] = cyclic(a[i], a[N * N - 1 - i]);
#endif
}

static void mandelbrot(void)
{
#ifdef PLAIN
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            float cr = -2 + 3.0f * j / N, ci = -1.5f + 3.0f * i / N, zr = 0, zi = 0;
            int k = 0;
            while (k < 100 && zr * zr + zi * zi < 4) {
                float re = zr * zr - zi * zi, im = zr * zi + zi * zr;
                zr = re + cr;
                zi = im + ci;
                k++;
            }
            image[i][j] = k;
        }
#else
    number z; /* outside of the loops, so that its members are all that says it is private */
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            number c = {-2 + 3.0f * j / N, -1.5f + 3.0f * i / N};
            z.re = 0;
            z.im = 0;
            int k = 0;
            while (k < 100 && norm(z) < 4) {
                z = sum(product(z, z), c);
                k++;
            }
            image[i][j] = k;
        }
#endif
}

int main(void)
{
    for (int i = 0; i < N * N; i++) {
        vector v = {i, 2 * i, 3};
        p[i] = v;
    }
    products();
    forces();
    lists();
    mandelbrot();
    printf("%g %d\n", q[7].x, image[N / 2][N / 2]);
    return 0;
}
