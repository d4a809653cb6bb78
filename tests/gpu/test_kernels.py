"""What is said of a kernel beside its figures."""

from pathlib import Path

import pytest

from logca.gpu.prediction import predict

for library in ("numba", "llvmlite", "ziglang"):
    pytest.importorskip(library)

SOURCE = """
static float a[65536];
int main(void) {
#pragma logca offload
    for (int i = 0; i < 65536; i++)
        a[i] = %s;
    return 0;
}
"""


@pytest.mark.parametrize(
    ("value", "model", "said"),
    [("2 * a[i]", "paper", True), ("2 * a[i]", "logca", False), ("1", "paper", False)],
)
def test_a_mean_at_the_jump_of_the_printed_model_is_said(
    tmp_path: Path, value: str, model: str, said: bool
) -> None:
    """Of a load and a store of the same two lines, two miss of four."""
    source = tmp_path / "scale.c"
    source.write_text(SOURCE % value, encoding="utf-8")
    notes = predict(source, model=model).kernels[0].notes
    assert any("coalesced accesses have 1.000 DRAM transactions" in each for each in notes) == said
