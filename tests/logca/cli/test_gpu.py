"""`logca gpu`, as a user meets it."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import logca
from logca.common.json_output import to_plain
from logca.gpu.devices.calibrate import MEASURED, PROPERTIES
from logca.show.gpu.data import prediction_data

Run = Callable[..., tuple[int, str, str]]

ROOT = Path(__file__).parents[3]
POLYBENCH = ROOT / "examples" / "polybench"
GEMM = str(POLYBENCH / "gemm.c")
TK1 = ("--device", "jetson-tk1")
SMALL = [GEMM, "-D", "N=32", "--work", "N=32"]
ON_TK1 = [*SMALL, *TK1]
STAGES = (
    *("threads", "trace", "warps", "accesses", "cache", "instructions", "latency"),
    *("occupancy", "timing", "dependences"),
)

MAIN = """
#include "kernel.h"
float x[N], y[N];
int main(void)
{
    for (int i = 0; i < N; i++)
        x[i] = i;
    scale(x, y);
    return 0;
}
"""
HEADER = "#ifndef N\n#define N 512\n#endif\nvoid scale(const float *from, float *to);\n"
KERNEL = """
#include "kernel.h"
void scale(const float *from, float *to)
{
    for (int i = 0; i < N; i++)
        to[i] = 3 * from[i];
}
"""
SERIAL = """
double a[256], b[256];
int main(void)
{
#pragma logca offload
    for (int i = 1; i < 256; i++)
        a[i] = a[i - 1] + b[i];
    return 0;
}
"""
SUM = "int main(void) { double s = 1; for (int i = 0; i < 99; i++) s = s / 2 + i; return s; }\n"
BROKEN = "int main(void)\n{\n    return 0\n}\n"
DEEP = """
int a[64];
int main(void)
{
#pragma logca offload collapse(2)
    for (int i = 0; i < 64; i++)
        a[i] = i;
    return 0;
}
"""
CRASH = """
int a[64], *p;
int main(void)
{
    for (int i = 0; i < 64; i++)
        a[i] = p[i];
    return 0;
}
"""
ENDLESS = """
int a[64];
volatile int go = 1;
int main(void)
{
    while (go)
        for (int i = 0; i < 64; i++)
            a[i] += go;
    return 0;
}
"""
READS = """
#include <stdio.h>
float a[9000];
int main(void)
{
    int n;
    if (scanf("%d", &n) != 1)
        return 9;
    for (int i = 0; i < n; i++)
        a[i] = 2 * a[i] + 1;
    return 0;
}
"""
PROGRAMS = {
    "reads.c": READS,
    "numbers.txt": "8000\n",
    "main.c": MAIN,
    "kernel.h": HEADER,
    "kernel.c": KERNEL,
    "serial.c": SERIAL,
    "sum.c": SUM,
    "broken.c": BROKEN,
    "deep.c": DEEP,
    "crash.c": CRASH,
    "endless.c": ENDLESS,
    "empty.c": "int main(void) { return 0; }\n",
}


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("programs")
    for name, text in PROGRAMS.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def inside(programs: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the programs, as working folder."""
    monkeypatch.chdir(programs)
    return programs


def test_help_has_examples(run: Run) -> None:
    code, out, _ = run("gpu", "--help")
    assert code == 0
    assert "Examples" in out
    assert "logca gpu gemm.c" in out


def test_the_papers_matrix_product(run: Run) -> None:
    code, out, err = run("gpu", GEMM, "-D", "N=128", "--work", "N=1024", *TK1)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    first = re.fullmatch(
        r"The loops at line 15 of gemm.c, 99\.\d % of the executed instructions, take ([\d.]+) ms "
        r"on Jetson TK1 \(Kepler, 1 SM\), bound by memory; model paper, N = 1024 \(traced at "
        r"N = 128\)\.",
        lines[0],
    )
    assert first is not None
    assert float(first[1]) == pytest.approx(242.53, rel=0.01)  # wang2017, Table 4
    assert re.search(
        r"^MWP, CWP +54\.45, 64 of N = 64 active warps$", out, re.M
    )  # wang2017, Table 4
    assert "1,048,576 threads (1024 x 1024) in 1,024 blocks (32 x 32) of 32 x 32" in out
    (a,) = (line.split() for line in lines if line.split()[:2] == ["load", "A"])
    (b,) = (line.split() for line in lines if line.split()[:2] == ["load", "B"])
    assert a[2:7] == ["constant", "0", "B", "0", "1"]
    assert b[2:7] == ["coalesced", "4", "B", "1", "2"]
    assert a[-1] == b[-1] == "1,024"
    source = Path(GEMM).read_text(encoding="utf-8").splitlines()
    number = 1 + next(place for place, line in enumerate(source) if "sum +=" in line)
    assert f"  {number}  sum += alpha * A[i][k] * B[k][j];" in lines


def test_json_is_what_python_gives(run: Run) -> None:
    code, out, err = run("gpu", *ON_TK1, "--json", "--against", "FPGA=1us")
    assert (code, err) == (0, "")
    data = json.loads(out, parse_constant=pytest.fail)
    found = logca.gpu.predict(GEMM, device="jetson-tk1", defines={"N": 32}, work={"N": 32})
    assert {**data, "ranking": []} == {**to_plain(prediction_data(found)), "ranking": []}
    assert [each["name"] for each in data["ranking"]] == ["FPGA", "Jetson TK1 (Kepler, 1 SM)"]
    assert data["ranking"][1]["slowdown"] == pytest.approx(found.time_s / 1e-6)
    assert data["time_s"] == sum(kernel["time_s"] for kernel in data["kernels"])
    assert data["work_size"] == data["trace_size"] == {"N": 32}
    (kernel,) = data["kernels"]
    assert kernel["layout"] == {
        "extents": [32, 32],
        "shape": [32, 32, 1],
        "threads": 1024,
        "block": [32, 32, 1],
        "grid": [1, 1, 1],
        "blocks": 1,
    }
    assert {"file", "line", "array", "pattern", "stride", "transactions", "dram", "executions"} <= {
        *kernel["accesses"][0]
    }


def test_what_the_stages_print(run: Run, golden: Callable[[str], None]) -> None:
    """A regression golden: these numbers were not checked, but should not change unnoticed."""
    code, out, err = run("gpu", *ON_TK1, *(f"--stage={stage}" for stage in STAGES))
    assert (code, err) == (0, "")
    golden(out)


def test_stages_as_json(run: Run) -> None:
    words = ["--stage", "threads", "--stage", "timing", "--stage", "device"]
    data = json.loads(run("gpu", *ON_TK1, *words, "--json")[1])
    assert {row["parameter"] for row in data["device"]} == {*logca.gpu.device("jetson-tk1").sources}
    (kernel,) = data["kernels"]
    assert [*kernel["stages"]] == ["threads", "timing"]
    (threads,) = kernel["stages"]["threads"]
    assert threads["threads"] == 1024


def test_the_device_needs_no_program(run: Run) -> None:
    code, out, err = run("gpu", "--stage", "device", *TK1)
    assert (code, err) == (0, "")
    rows = {line.split()[0]: line for line in out.splitlines() if line[:1] != " "}
    assert {*logca.gpu.device("jetson-tk1").sources} <= {*rows}
    assert rows["frequency"].split(maxsplit=1)[1] == "852 MHz, clock; documented: wang2017, Table 3"
    assert rows["l2_size"].split()[1:3] == ["128", "KiB,"]


def test_several_files_and_a_function(run: Run, inside: Path) -> None:
    words = ["main.c", "kernel.c", "-I", str(inside), "-D", "N=1000", "--function", "scale"]
    code, out, err = run("gpu", *words, "--block", "128", "--model", "logca")
    assert (code, err) == (0, "")
    assert "model logca" in out.splitlines()[0]
    assert "kernel.c:5  scale" in out
    assert "1,000 threads in 8 blocks of 128" in out
    for word, array in (("load", "x"), ("store", "y")):
        (row,) = (line.split() for line in out.splitlines() if line.split()[:2] == [word, array])
        assert row[2:6] == ["coalesced", "4", "B", "1"]


def test_what_the_program_reads(run: Run, inside: Path) -> None:
    code, out, err = run("gpu", "reads.c", "--stdin", "numbers.txt")
    assert (code, err) == (0, "")
    assert "1 launch of 8,000 threads" in out
    assert logca.gpu.predict("reads.c", stdin=b"256").kernels[0].layout.threads == 256
    assert run("gpu", "reads.c", "--stdin", "none.txt") == (
        2, "", "logca: --stdin none.txt cannot be read: No such file or directory\n",
    )  # fmt: skip


def test_a_device_of_ones_own(run: Run, tmp_path: Path) -> None:
    packaged = ROOT / "gpu" / "devices" / "jetson-tk1.toml"
    text = packaged.read_text(encoding="utf-8")
    file = tmp_path / "mine.toml"
    file.write_text(
        text.replace('"852 MHz"', '"426 MHz"').replace("Jetson TK1", "Half of it"), encoding="utf-8"
    )
    data = [
        json.loads(run("gpu", *SMALL, "--device", device, "--json")[1])
        for device in ("jetson-tk1", str(file))
    ]
    assert data[1]["device"].startswith("Half of it")
    assert data[1]["cycles"] == data[0]["cycles"]
    assert data[1]["time_s"] == pytest.approx(2 * data[0]["time_s"])


def test_a_device_of_ones_own_from_measurements(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    status, source, _ = run("gpu", "calibrate")
    assert (status, source.count("__global__ void")) == (0, 8)
    assert run("gpu", "calibrate", "-o", "bench.cu")[0] == 0
    assert Path("bench.cu").read_text(encoding="utf-8") == source
    assert run("gpu", "calibrate", "-o", "bench.cu")[2].startswith("logca: bench.cu exists;")
    shown = dict.fromkeys((*PROPERTIES, *MEASURED), "16") | {
        "frequency": "1e9",
        "bandwidth": "1e11",
        "l2_size": "65536",
        "launch_overhead": "2e-6",
        "launch_synchronised": "7e-6",
    }
    lines = ["title Mine", "capability 8.9", *(f"{key} {said}" for key, said in shown.items())]
    Path("mine.txt").write_text("\n".join(lines), encoding="utf-8")
    status, text, err = run("gpu", "calibrate", "mine.txt")
    assert (status, err, text.splitlines()[0]) == (0, "", 'title = "Mine"')
    data = json.loads(run("gpu", "calibrate", "mine.txt", "--json")[1])
    assert (next(iter(data)), data["text"]) == ("answer", text)
    assert run("gpu", "calibrate", "mine.txt", "-o", "mine.toml", "--force")[0] == 0
    found = json.loads(run("gpu", *SMALL, "--model", "logca", "--device", "mine.toml", "--json")[1])
    assert found["device"] == "Mine"
    assert found["time_s"] > 0


def test_the_choice_of_a_device(run: Run) -> None:
    words = ["--against", "slow=2 s", "--against", "fast=1ns"]
    lines = run("gpu", *ON_TK1, *words)[1].splitlines()
    table = [line.split() for line in lines[lines.index("Choice of device") + 1 :]]
    assert [row[1] for row in table] == ["time", "fast", "Jetson", "slow"]
    assert table[1][2:] == ["1", "ns", "fastest"]
    assert table[3][-3:] == ["times", "as", "long"]


def test_dependences_in_words(run: Run, inside: Path) -> None:
    code, out, _ = run("gpu", "serial.c")
    assert code == 0
    said = "matters: thread (1) reads a in line 7 after thread (0) wrote it there; 254 times"
    assert re.search(rf"^order +{re.escape(said)}$", out, re.MULTILINE)
    out = run("gpu", "serial.c", "--stage", "dependences")[1]
    assert out.splitlines()[3].split() == ["flow", "a", "7", "7", "(0)", "(1)", "254"]


def test_a_loop_that_carries_a_sum_is_told(run: Run, inside: Path) -> None:
    code, out, _ = run("gpu", "sum.c")
    assert code == 0
    assert "could take" in out.splitlines()[0]
    assert "if line 1 did not carry s" in out.splitlines()[0]
    assert re.search(r"^against +its iterations carry s", out, re.MULTILINE)


@pytest.mark.parametrize("words", [["--block", "16X8"], ["--grid", "2x4"]])
def test_blocks_and_grids(run: Run, words: list[str]) -> None:
    code, out, err = run("gpu", *ON_TK1, *words)
    assert (code, err) == (0, "")
    assert "1,024 threads (32 x 32) in 8 blocks (2 x 4) of 16 x 8" in out


def test_the_block_that_fills_the_device_best(run: Run) -> None:
    shares = []
    for words in ([], ["--block", "fullest"], ["--block", "8x4"]):
        data = json.loads(run("gpu", *ON_TK1, *words, "--json")[1])
        shares.append(data["kernels"][0]["occupancy"]["warps_share"])
    assert shares[1] == max(shares) > shares[2]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["broken.c"], "broken.c:3:13: error: expected ';' after return statement"),
        (["empty.c"], "no loop of the program can be offloaded"),
        (["deep.c"], "deep.c:6: collapse(2)"),
        (["serial.c", "--function", "nothing"], "there is no function 'nothing'"),
        (["serial.c", "--block", "8x8"], "1 collapsed loop allows at most 1"),
        (["serial.c", "--block", "2048"], "from 1 to 1024 threads"),
        (["serial.c", "--grid", "4x4"], "grid (4, 4) must have 1 number"),
        (
            ["serial.c", "--work", "N=64"],
            "no source mentions N: name the macro of --work as they do",
        ),
        (["crash.c"], "SIGSEGV"),
        (["endless.c", "--time-limit", "0.5"], "did not end within 0.5 s"),
    ],
)
def test_bad_input_is_one_line(run: Run, inside: Path, words: list[str], message: str) -> None:
    code, out, err = run("gpu", *words)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1
    assert err.startswith("logca: ")


def test_a_missing_compiler_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "llvmlite", None)
    code, _, err = run("gpu", *ON_TK1)
    assert code == 5
    assert "pip install 'logca[trace]'" in err


def test_no_algebra_and_no_word_in_a_pipe(tmp_path: Path) -> None:
    code = (
        f"import sys; sys.argv = ['logca', 'gpu', *{SMALL!r}, '--json']\n"
        "import atexit\n"
        "atexit.register(lambda: print('sympy' in sys.modules, file=sys.stderr))\n"
        "from logca.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"False\n")
    found = json.loads(done.stdout)
    assert (found["model"], found["device"]) == ("bounds", logca.gpu.device("rtx-4090").title)


def test_steps_are_told_on_a_terminal(told: Callable[..., tuple[bytes, bytes]]) -> None:
    out, shown = told("gpu", *ON_TK1)
    assert b"counting" in shown
    assert b"\x1b" not in out


def test_control_c_ends_it(programs: Path, interrupted: Callable[..., tuple[int, bytes]]) -> None:
    assert interrupted(b"counting", "gpu", str(programs / "endless.c")) == (130, b"")


SYRK = str(Path(__file__).parents[3] / "examples" / "polybench" / "syrk.c")
SMALL_gpu_advice = [SYRK, "-D", "N=32", "--work", "N=32", *TK1]


def test_the_table_of_remedies_is_that_of_python(run: Run) -> None:
    status, output, _ = run("gpu", *SMALL_gpu_advice, "--advise")
    assert status == 0
    (kernel,) = logca.gpu.advise(
        SYRK, device="jetson-tk1", defines={"N": 32}, work={"N": 32}
    ).kernels
    assert kernel.access is not None
    assert f"line {kernel.access.line}, load of A: uncoalesced" in output
    assert [each.gain for each in kernel.remedies] == sorted(
        (each.gain for each in kernel.remedies), reverse=True
    )
    for each in kernel.remedies:
        assert each.name in output
        assert f"{each.gain:.3g} x" in output


def test_json_has_the_advice_beside_the_prediction(run: Run) -> None:
    status, output, _ = run("gpu", *SMALL_gpu_advice, "--advise", "--json")
    assert status == 0
    data = json.loads(output)
    (kernel,) = data["advice"]
    assert kernel["access"]["array"] == "A"
    assert kernel["bound"]["words"]
    transposed = next(each for each in kernel["remedies"] if each["name"] == "transposed layout")
    assert transposed["time_s"] * transposed["gain"] == pytest.approx(data["time_s"])


def test_advice_is_on_whole_kernels(run: Run) -> None:
    status, _, errors = run("gpu", *SMALL_gpu_advice, "--advise", "--stage", "timing")
    assert status == 2
    assert "--stage" in errors


def test_a_stage_of_another_model_is_refused(run: Run) -> None:
    status, _, errors = run("gpu", *ON_TK1, "--stage", "bounds")
    assert status == 2
    assert "--stage bounds is no stage of model paper, which has threads, trace" in errors
    status, _, errors = run("gpu", *SMALL, "--stage", "timing")
    assert status == 2
    assert "--stage timing is no stage of model bounds, which has threads, accesses" in errors
