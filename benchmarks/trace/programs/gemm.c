/* Matrix product, repeated: two reads in the innermost loop. */
#include <stdio.h>
#ifndef N
#define N 128
#endif
#ifndef TIMES
#define TIMES 20
#endif
static double A[N][N], B[N][N], C[N][N];
int main(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) A[i][j] = i + j, B[i][j] = i - j;
    for (int t = 0; t < TIMES; t++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                double sum = 0;
                for (int k = 0; k < N; k++) sum += A[i][k] * B[k][j];
                C[i][j] += sum;
            }
    printf("%g\n", C[3][4]);
    return 0;
}
