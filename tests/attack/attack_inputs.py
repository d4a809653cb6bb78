"""A program, timings and a model for those who attack; and whether all attacks are made."""

import os

EVERYTHING = bool(os.environ.get("LOGCA_ATTACK"))
"""True if all attacks are made (`make attack`), not only those of every day."""
LEDGER = bool(os.environ.get("LOGCA_BUSY"))
"""True if all claims of the ledger are decided three times (`make busy`)."""
MODEL = "--o 29000 --L 1500 --C 90 --A 19"
PROGRAM = """
#ifndef N
#define N 64
#endif
static float a[N], b[N];
int main(void) {
  for (int i = 0; i < N; i++) a[i] = i;
  for (int i = 0; i < N; i++) b[i] = a[i] * a[i] + 1;
  return b[3] == 0;
}
"""
TIMINGS = "granularity_B,host_s,accelerated_s\n" + "".join(
    f"{size},{1e-9 * size:.6g},{1e-5 + 1e-10 * size:.6g}\n"
    for size in map((4).__pow__, range(5, 14))
)
