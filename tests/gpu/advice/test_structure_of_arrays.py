"""The remedy for an array of structures against the program that has the arrays by hand."""

from pathlib import Path

import pytest

from logca import gpu

pytest.importorskip("numba")
pytest.importorskip("llvmlite")

MEMBERS = "xyzv"


def program(body: str, *, structures: bool) -> str:
    """A kernel over N elements whose members are together, or in arrays of their own."""
    members = ", ".join(MEMBERS)
    if structures:
        arrays = f"struct point {{ float {members}; }}; static struct point a[N];"
    else:
        arrays = f"static float {', '.join(f'{each}[N]' for each in MEMBERS)};"
    for each in MEMBERS:
        body = body.replace(f"<{each}>", f"a[i].{each}" if structures else f"{each}[i]")
    return f"""
{arrays}
static float c[N];
int main(void)
{{
#pragma logca offload
    for (int i = 0; i < N; i++)
        {body}
    return 0;
}}
"""


@pytest.mark.parametrize("body", ["<x> = <x> + <v>;", "c[i] = <x> * 2.0f + <y>;"])
def test_a_structure_of_arrays_is_predicted_as_if_written_by_hand(
    body: str, tmp_path: Path
) -> None:
    """Members that are written only, read only, both, or neither, move their own bytes."""
    defines, work, device = {"N": 4096}, {"N": 1 << 20}, "rtx-4090"
    together, apart = tmp_path / "together.c", tmp_path / "apart.c"
    together.write_text(program(body, structures=True))
    apart.write_text(program(body, structures=False))
    (kernel,) = gpu.advise(together, defines=defines, work=work, device=device).kernels
    remedy = next(each for each in kernel.remedies if each.name == "transposed layout")
    by_hand = gpu.predict(apart, defines=defines, work=work, device=device).time_s
    assert remedy.time_s == pytest.approx(by_hand, rel=0.02)
