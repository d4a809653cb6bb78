"""Predictions as tables and in words."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

import logca
from logca.common.terminal import drawn
from logca.gpu.prediction.result import Prediction
from logca.gpu.stages.timing import Timing
from logca.show.gpu.tables import prediction_tables
from logca.show.gpu.words import bound_words

POLYBENCH = Path(__file__).parents[4] / "examples" / "polybench"


@pytest.fixture(scope="module")
def product() -> Prediction:
    """One kernel, at another size than it was traced at."""
    found = logca.gpu.predict(POLYBENCH / "gemm.c", defines={"N": 32}, work={"N": 1024})
    assert isinstance(found, Prediction)
    return found


@pytest.fixture(scope="module")
def several() -> Prediction:
    """Kernels that differ, one of them launched with fewer and fewer threads."""
    found = logca.gpu.predict(POLYBENCH / "gramschm.c", defines={"N": 48, "STEPS": 4}, work={})
    assert isinstance(found, Prediction)
    return found


def test_lines_of_compiled_files_only(product: Prediction) -> None:
    def lines(prediction: Prediction) -> set[str]:
        tables = prediction_tables(prediction)
        return {section.source for table in tables for section in table.sections if section.line}

    (kernel,) = product.kernels
    assert "sum += alpha * A[i][k] * B[k][j];" in lines(product)
    elsewhere = replace(kernel, compiled_files=frozenset({"other.c"}))
    assert lines(replace(product, kernels=(elsewhere,))) == {"(no source)"}


@pytest.mark.parametrize("width", [80, 120])
def test_nothing_is_cut(product: Prediction, several: Prediction, width: int) -> None:
    for prediction in (product, several):
        console = Console(width=width, force_terminal=True, color_system=None)
        with console.capture() as captured:
            console.print(drawn(prediction_tables(prediction), width))
        lines = captured.get().splitlines()
        assert max(map(len, lines)) <= width
        assert "…" not in captured.get()


def test_kernels_have_shares(several: Prediction) -> None:
    left_out, first, *rest = prediction_tables(several)
    assert [row[1] for row in left_out.rows] == [part.note for part in several.left_out]
    rows = list(first.rows)
    assert len(rows) == len(several.kernels) == 3
    assert sum(float(row[3]) for row in rows) == pytest.approx(100, abs=0.2)
    assert [table.title for table in rest if table.title] == [
        f"{row[0]}  kernel_gramschm" for row in rows
    ]


def test_a_gather_has_no_stride(tmp_path: Path) -> None:
    """The elements of x come from a generator of random numbers; those of y are neighbours."""
    source = tmp_path / "gather.c"
    source.write_text(
        "static float x[4096], y[4096]; static int at[4096];\n"
        "int main(void) {\nunsigned s = 1;\n"
        "for (int i = 0; i < 4096; i++) at[i] = (s = s * 1103515245u + 12345u) >> 20;\n"
        "#pragma logca offload\nfor (int i = 0; i < 4096; i++) y[i] = x[at[i]];\n"
        "return y[1] > 1;\n}\n"
    )
    found = logca.gpu.predict(source)
    assert {access.array: access.regular for access in found.accesses} == {
        "at": True, "x": False, "y": True,
    }  # fmt: skip
    rows = [row for table in prediction_tables(found) for row in table.rows if len(row) == 9]
    strides = {row[1]: row[4:6] for row in rows}
    assert strides["x"] == ("irregular", "")
    assert strides["y"] == ("4 B", "1")


CASES: list[tuple[dict[str, Any], str]] = [
    ({"mwp": 6.0, "cwp": 64.0, "mwp_full": 6.0}, "memory: 6 of the 64 active warps"),
    ({"mwp": 64.0, "cwp": 64.0, "mwp_full": 90.0}, "memory latency: all 64"),
    ({"mwp": 9.0, "cwp": 4.0, "mwp_full": 9.0, "bound": "computation"}, "CWP 4 is below MWP 9"),
    ({"mwp": 64.0, "cwp": 1.0, "mwp_full": float("inf")}, "counts no access to memory"),
    ({"mwp": 6.0, "cwp": 64.0, "mwp_full": 6.0, "bound": "bandwidth"}, "bandwidth"),
]


@pytest.mark.parametrize(("values", "said"), CASES)
def test_what_binds_in_words(several: Prediction, values: dict[str, Any], said: str) -> None:
    known = {"active_warps": 64, "batches": 1.0, "bound": "memory", "cwp_full": 99.0}
    rest = dict.fromkeys(set(Timing.__dataclass_fields__) - {*known, *values}, 1.0)
    timing = Timing(**(rest | known | values))
    kernel = replace(several.kernels[0], timing=timing, bound=timing.bound)
    assert said in bound_words(kernel)
