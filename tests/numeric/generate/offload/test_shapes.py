"""Emitted boundaries of shapes, compiled or run, against what `pays` and `decide` say."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import fitted_programs
import numpy as np
import pytest

from logca.numeric.generate.offload.rule import OffloadError
from logca.numeric.generate.offload.shapes import source
from logca.numeric.shapes.decide import decide_shape, margin
from logca.numeric.shapes.fit import ShapeFit, fit_shapes

COLUMNS = ("m", "n", "k")
LANGUAGES = ("c", "cpp", "cuda", "rust", "javascript", "python")
POINTS = 10_000


def log_uniform(draw: np.random.Generator, size: tuple[int, ...]) -> np.ndarray:
    return np.exp(draw.uniform(np.log(2), np.log(4096), size)).round()


def measured(bytes_: str, work: str, items: str | None, seed: int) -> ShapeFit:
    """Fitted to times of such a device, of which one lies on the wrong side by far."""
    draw = np.random.default_rng(seed)
    shape = dict(zip(COLUMNS, log_uniform(draw, (3, 40)), strict=True))
    flat = {**shape, "host": np.ones(40), "accelerated": np.ones(40)}
    features = fit_shapes(flat, bytes=bytes_, work=work, items=items).features(**shape)
    host = 1e-6 + features["work"] ** 0.9 / 2e9
    other = 2e-5 + features["bytes"] / 1e10 + features["work"] ** 0.9 / 8e10
    other = other + 1e-8 * features["items"]
    noise = np.exp(0.03 * draw.standard_normal((2, 40)))
    host, other = host * noise[0], other * noise[1]
    host[7], other[7] = other[7], host[7]
    table = {**shape, "host": host, "accelerated": other}
    return fit_shapes(table, bytes=bytes_, work=work, items=items, provenance={"of": '"*/ \\ ü'})


@pytest.fixture(scope="module")
def fits() -> dict[str, ShapeFit]:
    strange = "m*(n - (k - 5)) - m*n + m*k + min(m, n)**2 / (k / 2) * log2(n + 1) + -max(-k, -m)"
    return {
        "gemm": measured("4*(m*k + k*n + m*n)", "2*m*n*k", None, 1),
        "strange": measured(strange, "sqrt(m)*n**1.5*k", "k", 2),
    }


def c_like(names: Sequence[str], suffix: str, prefix: str, main: str) -> dict[str, str]:
    headers = "".join(f'#include "{name}{suffix}"\n' for name in names)
    calls = ", ".join(
        f"{prefix}{name}_should_offload{state}"
        for name in names
        for state in ("(m, n, k)", "_from(m, n, k, true)", "_from(m, n, k, false)")
    )
    return {
        main: f"{headers}#include <stdio.h>\nint main(void) {{\ndouble m, n, k;\n"
        'while (scanf("%lf %lf %lf", &m, &n, &k) == 3)\n'
        f'printf("%d%d%d%d%d%d\\n", {calls});\nreturn 0;\n}}\n'
    }


def rust(names: Sequence[str]) -> dict[str, str]:
    modules = "".join(f"mod {name};\n" for name in names)
    shape = "x[0], x[1], x[2]"
    calls = ", ".join(
        f"{name}::should_offload{state} as u8"
        for name in names
        for state in (f"({shape})", f"_from({shape}, true)", f"_from({shape}, false)")
    )
    return {
        "main.rs": f"{modules}fn main() {{\n"
        "for line in std::io::read_to_string(std::io::stdin()).unwrap().lines() {\n"
        "let x: Vec<f64> = line.split(' ').map(|each| each.parse().unwrap()).collect();\n"
        f'println!("{{}}{{}}{{}}{{}}{{}}{{}}", {calls});\n}}\n}}\n'
    }


def javascript(names: Sequence[str]) -> dict[str, str]:
    imports = "".join(f"import * as {name} from './{name}.mjs';\n" for name in names)
    calls = ", ".join(
        f"{name}.should_offload{state}"
        for name in names
        for state in ("(...shape)", "_from(...shape, true)", "_from(...shape, false)")
    )
    return {
        "main.mjs": f"{imports}import {{ readFileSync }} from 'node:fs';\n"
        "const lines = readFileSync(0, 'utf8').trim().split('\\n');\n"
        "console.log(lines.map((line) => line.split(' ').map(Number)).map((shape) =>\n"
        f"[{calls}].map(Number).join('')).join('\\n'));\n"
    }


def python(names: Sequence[str]) -> dict[str, str]:
    calls = ", ".join(
        f"{name}.should_offload{state}"
        for name in names
        for state in ("(*shape)", "_from(*shape, True)", "_from(*shape, False)")
    )
    return {
        "main.py": f"import sys\nimport {', '.join(names)}\nfor line in sys.stdin:\n"
        f"    shape = [float(each) for each in line.split()]\n"
        f"    print(*map(int, [{calls}]), sep='')\n"
    }


def chain(language: str) -> fitted_programs.Toolchain:
    """As for sizes, with another program around the functions, of one file."""
    known = fitted_programs.TOOLCHAINS[language]
    mains = {
        "c": lambda names: c_like(names, ".h", "logca_", "main.c"),
        "cpp": lambda names: c_like(names, ".hpp", "logca::", "main.cpp"),
        "cuda": lambda names: c_like(names, ".cuh", "logca::", "main.cu"),
        "rust": rust,
        "javascript": javascript,
        "python": python,
    }
    build = known.build
    for library in ("library.c ", "library_library.cpp ", "library_library.cu "):
        build = build.replace(library, "")
    return replace(known, main=mains[language], build=build + " -lm" * (language == "c"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_compiled_boundaries_decide_as_the_fit(language, fits, tmp_path: Path) -> None:
    draw = np.random.default_rng(3)
    shapes = log_uniform(draw, (3, POINTS))
    for each in fits.values():
        assert each.contradicted
        places = list(each.contradicted)
        shapes[:, : len(places)] = [each.timings.columns[name][places] for name in COLUMNS]
    # what no formula has a value for does not pay
    invalid, negative = (0, 0, 0), (-4, -4, -4)
    sources = {name: source(language, each, name=name) for name, each in fits.items()}
    run = fitted_programs.program(tmp_path, language, sources, chain(language))
    lines = [
        " ".join(f"{value:.17g}" for value in shape) for shape in (*shapes.T, invalid, negative)
    ]
    rows = run(lines, {}).rows
    given = dict(zip(COLUMNS, shapes, strict=True))
    least = [(each, edge) for each in fits.values() for edge in (1, 1 / margin(each), margin(each))]
    wanted = np.stack([each.pays_beyond(edge, given) for each, edge in least], axis=1).astype(int)
    found = np.array([[int(digit) for digit in row] for row in rows])
    assert (found[:-2] == wanted).all()
    assert not found[-2][3:].any()
    assert not found[-1].any()
    assert (found[:, 1] > found[:, 2]).any()
    assert 0.1 < wanted.mean() < 0.9
    for setting, digits in (("always", "111"), ("never", "000")):
        rows_set = run(lines[:9], {"LOGCA_OFFLOAD_GEMM": setting}).rows
        assert {row[:3] for row in rows_set} == {digits}
    told = run(lines[:9], {"LOGCA_OFFLOAD_GEMM": "512"})
    assert "LOGCA_OFFLOAD_GEMM=512 is ignored" in told.told
    assert told.rows == rows[:9]


def test_a_decision_is_that_of_many(fits) -> None:
    draw = np.random.default_rng(4)
    for each in fits.values():
        for shape in log_uniform(draw, (4, 3)):
            given = dict(zip(COLUMNS, shape, strict=True))
            assert decide_shape(each, **given).offload == each.pays(**given)


def test_a_state_changes_answers_within_the_interval_of_the_boundary(fits) -> None:
    """At the boundary who offloads goes on, and who does not waits; far away both are told so."""
    found = fits["gemm"]
    assert 1 < margin(found) < 1.2
    m = np.linspace(2, 4096, 20000)
    speedup = found.speedup(m=m, n=64, k=64)
    near = float(m[np.argmin(np.abs(np.log(speedup)))])
    for offloading in (True, False):
        assert decide_shape(found, m=near, n=64, k=64, offloading=offloading).offload == offloading
        assert decide_shape(found, m=4096, n=4096, k=4096, offloading=offloading).offload
        assert not decide_shape(found, m=2, n=2, k=2, offloading=offloading).offload


def test_languages_without_boundaries_of_shapes_are_named(fits) -> None:
    with pytest.raises(OffloadError, match="no should_offload of shapes in fortran"):
        source("fortran", fits["gemm"])
