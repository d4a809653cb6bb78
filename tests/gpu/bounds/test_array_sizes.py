"""Sizes and names of arrays that pointers in memory lead to, against counts by hand."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from logca.gpu.prediction.predict import predict
from logca.gpu.prediction.result import CopiedArray

ROWS = """
#include <stdlib.h>
#ifndef N
#define N 32
#endif
static double **matrix(int n) {
  double **a = malloc(n * sizeof *a);
  for (int i = 0; i < n; i++) a[i] = malloc(n * sizeof **a);
  return a;
}
int main(void) {
  double **a = matrix(N), **b = matrix(N), **c = matrix(N);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) { a[i][j] = i + j; b[i][j] = i - j; }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      double s = 0;
      for (int k = 0; k < N; k++) s += a[i][k] * b[k][j];
      c[i][j] = s;
    }
  return c[2][3] > 5;
}
"""

GLOBALS = """
#include <stdlib.h>
#ifndef N
#define N 32
#endif
double **A, **B;
static double **in_one_piece(int n) {
  double **t = malloc(n * sizeof *t);
  t[0] = malloc(n * n * sizeof **t);
  for (int i = 1; i < n; i++) t[i] = t[0] + i * n;
  return t;
}
static void scale(double **x, double **y, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) y[i][j] = 2 * x[i][j];
}
int main(void) {
  A = in_one_piece(N);
  B = malloc(N * sizeof *B);
  for (int i = 0; i < N; i++) B[i] = malloc(N * sizeof **B);
  double *other = B[0]; B[0] = B[N - 1]; B[N - 1] = other;
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) A[i][j] = i * j;
  scale(A, B, N);
  return B[3][4] > 5;
}
"""

STRUCTURES = """
#include <stdlib.h>
#ifndef N
#define N 32
#endif
struct matrix { int n; float *data; };
static struct matrix made(int n) {
  struct matrix m = {n, malloc(sizeof(float) * n * n)};
  return m;
}
int main(void) {
  struct matrix m = made(N), k = made(N);
  for (int i = 0; i < N * N; i++) m.data[i] = i;
  for (int i = 0; i < m.n; i++)
    for (int j = 0; j < m.n; j++) k.data[i * m.n + j] = m.data[j * m.n + i] + m.data[i * m.n + j];
  return k.data[7] > 5;
}
"""

IN_TURN = """
#ifndef N
#define N 32
#endif
static float u[2][N][N];
int main(void) {
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) u[0][i][j] = u[1][i][j] = i;
  for (int t = 0; t < 10; t++)
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        u[(t + 1) & 1][i][j] = u[t & 1][i - 1][j] + u[t & 1][i + 1][j] + u[t & 1][i][j];
  return u[0][3][4] > 5;
}
"""


SWAPPED = """
#include <stdlib.h>
#ifndef N
#define N 32
#endif
int main(void) {
  float (*a)[N] = malloc(sizeof(float[N][N])), (*b)[N] = malloc(sizeof(float[N][N]));
  for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) a[i][j] = b[i][j] = i * j;
  for (int t = 0; t < 10; t++) {
    for (int i = 1; i < N - 1; i++)
      for (int j = 1; j < N - 1; j++)
        b[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1];
    float (*other)[N] = a;
    a = b;
    b = other;
  }
  return a[3][4] > 5;
}
"""

HISTOGRAM = """
#include <stdlib.h>
#ifndef N
#define N 1000
#endif
static int bins[256];
int main(void) {
  unsigned char *image = malloc(N);
  unsigned s = 1;
  for (int i = 0; i < N; i++) { s = s * 1664525u + 1013904223u; image[i] = s >> 24; }
  for (int i = 0; i < N; i++) bins[image[i]]++;
  return bins[3];
}
"""

Arrays = Callable[[str, int], tuple[CopiedArray, ...]]


@pytest.fixture
def arrays(tmp_path: Path) -> Arrays:
    def copied(text: str, size: int) -> tuple[CopiedArray, ...]:
        source = tmp_path / "program.c"
        source.write_text(text)
        copies = predict(source, work={"N": size}, device="h100").copies
        assert copies is not None
        return copies.arrays

    return copied


def by_name(arrays: tuple[CopiedArray, ...]) -> Mapping[str, tuple[float, float, int]]:
    return {array.name: (array.to_gpu, array.to_host, array.pieces) for array in arrays}


@pytest.mark.parametrize("size", [32, 283])
def test_rows_of_a_matrix_have_their_own_bytes_without_what_lies_between(
    arrays: Arrays, size: int
) -> None:
    rows, table = 8.0 * size**2, 8.0 * size
    assert by_name(arrays(ROWS, size)) == {
        **{"a": (table, 0, 1), "a[]": (rows, 0, size), "b": (table, 0, 1), "b[]": (rows, 0, size)},
        # what the caller calls it is lost where blocks are joined behind the inlined call
        **{"matrix::a@12": (table, 0, 1), "matrix::a@12[]": (0, rows, size)},
    }


@pytest.mark.parametrize("size", [32, 500])
def test_rows_in_one_piece_and_rows_that_were_swapped(arrays: Arrays, size: int) -> None:
    rows, table = 8.0 * size**2, 8.0 * size
    assert by_name(arrays(GLOBALS, size)) == {
        **{"x": (table, 0, 1), "x[]": (rows, 0, 1), "y": (table, 0, 1), "y[]": (0, rows, size)}
    }


def test_memory_of_a_structure_is_one_array_whichever_access_reaches_it(arrays: Arrays) -> None:
    bytes_ = 4.0 * 200**2
    assert by_name(arrays(STRUCTURES, 200)) == {
        "m.data": (bytes_, 0, 1),
        "k.data": (0, bytes_, 1),
    }


@pytest.mark.parametrize("size", [32, 283])
def test_an_array_whose_halves_take_turns_is_copied_whole(arrays: Arrays, size: int) -> None:
    (both,) = arrays(IN_TURN, size)
    assert (both.to_gpu, both.to_host) == pytest.approx((8 * size**2,) * 2, rel=0.05)


def test_buffers_that_are_swapped_are_copied_alike(arrays: Arrays) -> None:
    one, other = arrays(SWAPPED, 64)
    # from the second float of the first row to the last but one of the last: their ends are read
    assert one.to_gpu == other.to_gpu == one.to_host == other.to_host == 4 * (64**2 - 2)


def test_elements_that_are_updated_are_there_before_and_after(arrays: Arrays) -> None:
    found = by_name(arrays(HISTOGRAM, 5000))
    assert found["bins"][:2] == (1024, 1024)
