"""Fits of shapes, as a user of `fit`, `decide`, `plot` and `codegen` meets them."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import get_args, get_type_hints
from xml.etree import ElementTree

import pytest

from logca.cli.fit import fit
from logca.numeric.shapes.fit import ShapeFit
from logca.numeric.shapes.formulas import KERNELS

Run = Callable[..., tuple[int, str, str]]

SHAPES = [(m, n) for m in (16, 64, 256, 1024) for n in (1, 8, 64)]


def times(m: int, n: int) -> tuple[float, float]:
    """A matrix times n vectors: 50 GFLOP/s here, 20 us and 20 GB/s to a fast accelerator."""
    return 1e-6 + 2 * m * m * n / 5e10, 2e-5 + 4 * (m * m + 2 * m * n) / 2e10 + m * m * n / 1e12


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("shapes") / "gemm.csv"
    rows = [f"{m},{n},{m},{times(m, n)[0]},{1e6 * times(m, n)[1]}" for m, n in SHAPES]
    path.write_text("\n".join(["m,n,k,host_s,accelerated_us", *rows]) + "\n", encoding="utf-8")
    return path


def test_from_timings_to_a_decision_and_code(run: Run, table: Path, tmp_path: Path) -> None:
    saved, picture = tmp_path / "fit.json", tmp_path / "boundary.svg"
    words = ("--kernel", "gemm", "-o", str(saved), "--picture", str(picture))
    code, out, err = run("fit", str(table), *words)
    assert code == 0
    paid = sum(host > other for host, other in (times(*shape) for shape in SHAPES))
    assert out.startswith(f"Offloading pays at {paid} of the 12 shapes measured: with ")
    assert "work of one" in out
    assert "the fit, for `logca report`, `decide` and `codegen`" in err
    assert picture.read_text(encoding="utf-8").startswith("<?xml")

    for m, n in ((128, 1), (512, 32)):
        host, other = times(m, n)
        shape = (f"m={m}", f"n={n}", f"k={m}")
        code, out, _ = run("decide", *shape, "--fit", str(saved), "--json")
        found = json.loads(out)
        assert code == 0
        assert found["offload"] == (host > other)
        assert found["speedup"] == pytest.approx(host / other, rel=1e-3)
        assert found["time_host"] == pytest.approx(host, rel=1e-3)
        assert sum(found["shares"].values()) == pytest.approx(1)
        assert run("decide", *shape, "--fit", str(saved))[1].startswith(found["answer"])

    code, out, _ = run("codegen", "--lang", "python", "--fit", str(saved), "--name", "gemm")
    assert "--name gemm" in out
    emitted: dict = {}
    exec(out, emitted)
    assert [emitted["should_offload"](m, n, m) for m, n in ((128, 1), (512, 32))] == [False, True]

    code, out, _ = run("plot", "--fit", str(saved))
    assert "The boundary, by the model" in out
    drawn, told = tmp_path / "b.png", tmp_path / "b.md"
    code, out, _ = run("plot", "--fit", str(saved), "-o", str(drawn), "-o", str(told))
    assert (code, drawn.read_bytes()[:4]) == (0, b"\x89PNG")
    assert "| with" in told.read_text(encoding="utf-8")
    data = json.loads(run("plot", "--fit", str(saved), "--json")[1])
    assert data == json.loads(run("fit", str(table), "--kernel", "gemm", "--json")[1])
    assert [row["held"] for row in data["boundary"]] == sorted(
        (row["held"] for row in data["boundary"]), key=lambda held: held["bytes"]
    )


def test_explanations_name_parts_and_boundary(run: Run, table: Path, tmp_path: Path) -> None:
    saved = tmp_path / "fit.json"
    assert run("fit", str(table), "--kernel", "gemm", "-o", str(saved))[0] == 0
    shape = ("m=512", "n=32", "k=512", "--fit", str(saved))
    code, out, _ = run("explain", *shape)
    found = json.loads(run("explain", *shape, "--json")[1])
    assert code == 0
    assert "".join(out.split()) == "".join(found["text"].split())
    assert out.startswith(found["answer"][:70])
    # 20 us for the call, 4 (512 512 + 2 512 32) bytes at 20 GB/s, 512 512 32 units at 1 THz
    call, data, work = 20.0, 4 * (512 * 512 + 2 * 512 * 32) / 2e4, 512 * 512 * 32 / 1e6
    assert found["shares"]["byte"] == pytest.approx(data / (call + data + work), rel=1e-3)
    assert found["gains"]["byte"] == pytest.approx(
        (call + data + work) / (call + data / 10 + work), rel=1e-3
    )
    assert found["binds"] == "byte"
    assert "The bottleneck is bytes; of the accelerated time bytes 6" in out
    assert sum(found["shares_host"].values()) == pytest.approx(1)
    # there 2 m n k / 50 GFLOP/s + 1 us is the time of call, bytes and work offloaded
    even = (call - 1 + data) * 1e-6 / (1 / 5e10 - 0.5 / 1e12)
    assert found["boundary"]["from"] == pytest.approx(even, rel=1e-3)
    assert run("explain", "4KiB", "64KiB", "--device", "x")[0] == 2
    assert "--batch goes with a size, not with a shape" in run("explain", *shape, "--batch", "2")[2]


def test_reports_have_boundary_parts_and_formulas(run: Run, table: Path, tmp_path: Path) -> None:
    saved, page = tmp_path / "fit.json", tmp_path / "fit.html"
    out = run("fit", str(table), "--kernel", "gemm", "-o", str(saved))[1]
    assert run("report", str(saved), "-o", str(page))[0] == 0
    text = page.read_text(encoding="utf-8").replace("\N{NO-BREAK SPACE}", " ")
    ElementTree.fromstring(f"<a>{text.partition('<main>')[2].partition('</main>')[0]}</a>")
    assert out.splitlines()[0] in text
    assert text.count('<svg role="img"') == 2
    heads = re.findall("<h2>(.*?)</h2>", text)
    assert heads[:4] == ["The boundary", "Limits of this fit", "Times of the parts", "Formulas"]
    for m, n in SHAPES:
        host, other = times(m, n)
        assert f">{host / other:.4g}</td>" in text


def test_formulas_replace_those_of_a_kernel(run: Run, table: Path, tmp_path: Path) -> None:
    saved = tmp_path / "fit.json"
    words = ("--kernel", "gemm", "--element", "8", "--work", "m*n*k", "-o", str(saved))
    assert run("fit", str(table), *words)[0] == 0
    found = ShapeFit.load(saved)
    assert {role: each.text for role, each in found.formulas.items()} == {
        "bytes": "8*(m*k + k*n + m*n)",
        "work": "m*n*k",
    }


def test_kernels_of_the_option_are_those_that_are_known() -> None:
    hints = get_type_hints(fit)
    assert {name for each in get_args(hints["kernel"]) for name in get_args(each)} == {*KERNELS}
