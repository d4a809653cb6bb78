/* The rival of `logca.numeric.speedup`: the loop that a C programmer would write. */
#include <math.h>
#include <stddef.h>

void speedup(size_t n, const double *restrict g, const double *restrict o, const double *restrict L,
             const double *restrict C, const double *restrict A, const double *restrict beta,
             double *restrict result)
{
    for (size_t i = 0; i < n; i++) {
        double host = C[i] * pow(g[i], beta[i]);
        result[i] = host / (o[i] + L[i] + host / A[i]);
    }
}
