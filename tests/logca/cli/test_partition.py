"""`logca partition`, as a user meets it."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

import logca

for library in ("numba", "ortools"):
    pytest.importorskip(library)

Run = Callable[..., tuple[int, str, str]]

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "partition.md").read_text(encoding="utf-8")
FFT = str(ROOT / "examples" / "partition" / "fft.c")
(SPELLCHECK,) = re.findall(r"```json[^\n]*\n(.*?)```", PAGE, re.DOTALL)
(FILTER,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)

USAGE = """#include <stdio.h>
int a[9];
int main(void) { for (int i = 0; i < 9; i++) a[i]++; fputs("usage: N\\n", stderr); return 2; }
"""
FREE = """{"format": "logca-partition-1", "blocks":
[{"name": "b", "executions": 9, "operations": 9}],
"flows": [{"from": "b", "to": "b", "executions": 8}]}"""
COLD = "int main(void) { return 0; }\n"
ENDLESS = "volatile int go = 1; int a[9]; int main(void) { while (go) a[go]++; return 0; }\n"


@pytest.fixture
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the problems of the documentation, as working folder."""
    (tmp_path / "spellcheck.json").write_text(SPELLCHECK, encoding="utf-8")
    (tmp_path / "filter.toml").write_text(FILTER, encoding="utf-8")
    (tmp_path / "cold.c").write_text(COLD, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def fft(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of one run with all files it can write."""
    folder = tmp_path_factory.mktemp("fft")
    words = ["--listing", "fft.txt", "--problem", "fft.json", "--picture", "fft.svg"]
    command = [sys.executable, "-W", "error", "-m", "logca", "partition", FFT, *words]
    done = subprocess.run(command, capture_output=True, cwd=folder, check=True)
    assert done.stderr == b""
    assert done.stdout.decode().splitlines()[-1].startswith("fft.svg: only the hot part: ")
    return folder


def test_help_has_examples(run: Run) -> None:
    code, out, _ = run("partition", "--help")
    assert code == 0
    assert "Examples" in out
    assert "--design SMM+" in out


def test_toml_of_the_documentation(run: Run, inside: Path) -> None:
    code, out, err = run("partition", "filter.toml")
    assert (code, err) == (0, "")
    assert out.startswith(
        "filter with 1 of 1 block on the accelerator is 1.181 "
    )  # (100 + 227) / (50 + 227) thousand


def test_json_is_what_python_gives(run: Run, inside: Path) -> None:
    words = ["spellcheck.json", "--area", "24", "--set", "control=40", "--json"]
    code, out, err = run("partition", *words)
    assert (code, err) == (0, "")
    data = json.loads(out, parse_constant=pytest.fail)
    from logca.numeric.partition.problem.platform import changed, platform

    machine = changed(platform("kenter2010"), {"control": 40})
    found = logca.partition("spellcheck.json", platform=machine, area=24)
    assert data["speedup"] == pytest.approx(found.speedup)
    assert data["relative_speedup"] == pytest.approx(found.relative_speedup)
    assert data["time"]["partition"] == {
        **{name: float(getattr(found.time, name)) for name in ("te", "tm", "tc", "tr")},
        "total": float(found.time.total),
    }
    moved = [block["name"] for block in data["blocks"] if block["core"] == "accelerator"]
    assert moved == [block.name for block in found.blocks]
    assert data["platform"]["parameters"]["control"] == 40
    assert (data["optimal"], data["gap"], data["proof"]) == (True, 0, "certificate")
    assert data["certificate"]["checked"]
    assert data["certificate"]["proves_bound"]
    assert 1 <= data["certificate"]["leaves"] <= data["certificate"]["nodes"]
    assert [each["method"] for each in data["methods"]] == [
        "optimal", "greedy", "clusters", "frontier",
    ]  # fmt: skip
    assert data["crossings"][0]["executions"] == 2000


def test_the_keys_are_those_of_the_documentation(run: Run, inside: Path) -> None:
    data = json.loads(run("partition", "spellcheck.json", "--json")[1])
    table = PAGE.partition("## As JSON")[2].partition("## ")[0]
    named = {
        name
        for line in table.splitlines()
        if line.startswith("| `")
        for name in re.findall(r"`(\w+)`", line.split("|")[1])
    }
    assert {*data} == named


def test_gaps_are_to_the_bound_that_is_proved(run: Run, inside: Path) -> None:
    """On a knapsack that the greedy one misses: of 3,900 cycles 1,200 are saved, and 750 by it."""
    blocks = [
        {"name": name, "executions": 100, "operations": operations, "area": area}
        for name, operations, area in (("dense", 15, 7), ("one", 12, 6), ("two", 12, 6))
    ]
    loops = [{"from": b["name"], "to": b["name"], "executions": 99} for b in blocks]
    passes = [
        {"from": "dense", "to": "one", "executions": 1},
        {"from": "one", "to": "two", "executions": 1},
    ]
    problem = {"format": "logca-partition-1", "blocks": blocks, "flows": [*loops, *passes]}
    Path("knapsack.json").write_text(json.dumps(problem), encoding="utf-8")
    words = ["knapsack.json", "--area", "12", "--set", "control=0"]
    data = json.loads(run("partition", *words, "--json")[1])
    optimum = 3900 - 1200
    assert data["bound_cycles"] == data["cycles"] == optimum
    for method in data["methods"]:
        assert method["gap"] == pytest.approx(1 - optimum / method["cycles"])
    shown = {each["method"]: each["gap"] for each in data["methods"]}
    assert shown["greedy"] == pytest.approx(450 / 3150)
    out = run("partition", *words)[1]
    assert re.search(r"^greedy .* 14 +[\d.]+ .?s$", out, re.MULTILINE)


def test_a_partition_that_is_proved_by_another_method_has_no_gap(run: Run, inside: Path) -> None:
    """The greedy one finds the best of the documentation's problem, and does not know it."""
    words = ["partition", "spellcheck.json", "--area", "24", "--json"]
    alone = json.loads(run(*words, "--method", "greedy")[1])
    assert alone["gap"] == pytest.approx(1 - alone["bound_cycles"] / alone["cycles"])
    assert alone["gap"] > 0
    data = json.loads(run(*words)[1])
    assert data["cycles"] == alone["cycles"]
    assert [each["gap"] for each in data["methods"]] == [0, 0, 0, 0]


def test_where_no_time_is_left_words_say_so(run: Run, inside: Path) -> None:
    Path("free.json").write_text(FREE, encoding="utf-8")
    for more in ([], ["--set", "control=0", "--set", "push=0", "--set", "pull=0"]):
        words = ["free.json", "--set", "accelerator_cycles=0", *more]
        code, out, err = run("partition", *words)
        assert (code, err) == (0, "")
        assert not re.search(r"\b(nan|inf)\b", out)
        assert "on the accelerator is infinitely many times as fast as on the CPU alone" in out
        assert re.search(r"^largest part +none: no time is left$", out, re.MULTILINE)


def test_files_may_go_to_the_standard_output(run: Run, inside: Path) -> None:
    code, out, err = run("partition", "spellcheck.json", "--problem", "-")
    assert (code, err) == (0, "")
    assert json.loads(out)["name"] == "spellcheck"
    code, out, err = run("partition", "spellcheck.json", "--picture", "-")
    assert (code, err) == (0, "")
    assert out.startswith("<svg ")
    assert out.endswith("</svg>\n")
    assert not Path("-").exists()


def test_a_status_other_than_0_is_told(run: Run, inside: Path) -> None:
    Path("usage.c").write_text(USAGE, encoding="utf-8")
    code, out, err = run("partition", "usage.c", "--problem", "usage.json")
    assert (code, err) == (0, "")
    said = "the program ended with exit status 2"
    assert re.search(rf"^note +{said}.*; it wrote: usage: N$", out, re.MULTILINE)
    (note,) = json.loads(run("partition", "usage.json", "--json")[1])["notes"]
    assert note.startswith(said)


def test_another_method_leaves_the_optimum_out(run: Run, inside: Path) -> None:
    data = json.loads(run("partition", "spellcheck.json", "--method", "greedy", "--json")[1])
    assert data["method"] == "greedy"
    assert [each["method"] for each in data["methods"]] == ["greedy", "clusters", "frontier"]


def test_a_pin_is_kept_and_its_cost_told(run: Run, inside: Path) -> None:
    code, out, _ = run("partition", "spellcheck.json", "--pin", "probe=cpu")
    assert code == 0
    assert "lookup, loop 35-38" in out
    assert "must stay: pinned by you" in out
    assert re.search(r"^no pin +without probe=cpu: speedup 1\.4", out, re.MULTILINE)
    data = json.loads(run("partition", "spellcheck.json", "--pin", "main=cpu", "--json")[1])
    cores = {block["name"]: block["core"] for block in data["blocks"]}
    assert cores["read"] == cores["report"] == "cpu"


def test_one_of_several_functions_is_pinned_by_its_file(run: Run, inside: Path) -> None:
    problem = json.loads(SPELLCHECK)
    problem["blocks"][2]["file"] = "other.c"
    Path("several.json").write_text(json.dumps(problem), encoding="utf-8")
    words = ["several.json", "--area", "24", "--pin", "other.c:lookup=cpu"]
    data = json.loads(run("partition", *words, "--json")[1])
    cores = {block["name"]: block["core"] for block in data["blocks"]}
    assert (cores["hash"], cores["probe"]) == ("accelerator", "cpu")
    out = run("partition", *words)[1]
    assert re.search(r"^no pin +without other.c:lookup=cpu: speedup 1\.4", out, re.MULTILINE)


def test_what_the_program_pins_is_told_if_it_is_dear(run: Run, inside: Path) -> None:
    problem = json.loads(SPELLCHECK)
    problem["blocks"][2]["pinned"] = "calls strcmp"
    Path("dear.json").write_text(json.dumps(problem), encoding="utf-8")
    _, out, _ = run("partition", "dear.json")
    said = r"^all may move +if 'calls strcmp' were no reason to stay: speedup 1\.4"
    assert re.search(said, out, re.MULTILINE)


def test_nothing_moves(run: Run, inside: Path) -> None:
    code, out, _ = run("partition", "spellcheck.json", "--set", "accelerator_cycles=2")
    assert code == 0
    assert out.startswith("No block of spellcheck, which has 4, moves to the accelerator; proven")
    assert "What moves" not in out
    assert "moving it would cost" in out


def test_without_anything_to_gain_there_is_no_relative_speedup(run: Run, inside: Path) -> None:
    words = ["spellcheck.json", "--set", "accelerator_cycles=1"]
    code, out, _ = run("partition", *words)
    assert code == 0
    assert "nan" not in out
    assert json.loads(run("partition", *words, "--json")[1])["relative_speedup"] is None


def test_a_platform_of_ones_own(run: Run, inside: Path) -> None:
    packaged = ROOT / "numeric" / "partition" / "problem" / "tables" / "kenter2010.toml"
    text = packaged.read_text(encoding="utf-8").replace("area = 128", "area = 9")
    Path("mine.toml").write_text(text, encoding="utf-8")
    _, out, _ = run("partition", "spellcheck.json", "--platform", "mine.toml")
    assert "proven optimal (design SL2+, area 9)." in out.splitlines()[0]


def test_a_link_is_taken_and_told(run: Run, inside: Path) -> None:
    code, out, _ = run("partition", "spellcheck.json", "--link", "pcie4", "--set", "push=2")
    assert code == 0
    assert re.search(r"^platform .*, with link pcie4, push = 2$", out, re.MULTILINE)
    words = ["--link", "pcie4", "--clock", "2", "--json"]
    data = json.loads(run("partition", "spellcheck.json", *words)[1])
    assert data["platform"]["parameters"]["pull"] == 1000


def without(key: str, place: int, value: object) -> dict[str, Any]:
    problem: dict[str, Any] = deepcopy(json.loads(SPELLCHECK))
    problem[key][place]["executions"] = value
    return problem


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["cold.c"], "cold has no hot loop"),
        (["spellcheck.json", "cold.c"], "spellcheck.json is a whole problem"),
        (["spellcheck.json", "--platform", "bad.toml"], "control must be a number [cycles] from 0"),
        (["spellcheck.json", "--set", "latency_L2=-1"], "latency_L2 must be a number"),
        (["spellcheck.json", "--set", "line=48"], "line must be a power of two, not 48"),
        (["spellcheck.json", "--set", "size_L1=8MiB"], "line <= size_L1 <= size_L2 must hold"),
        (["spellcheck.json", "--set", "values=both"], "values must be 'value' or 'pair'"),
        (["spellcheck.json", "--pin", "prob=cpu"], "did you mean 'probe'?"),
        (["spellcheck.json", "--pin", "read=accelerator"], "calls fgets"),
        (
            ["spellcheck.json", "--pin", "hash=accelerator", "--area", "9"],
            "takes an area of 14, and there is one of 9",
        ),
        (["spellcheck.json", "--json", "--problem", "-"], "--json and --problem - both write"),
        (["spellcheck.json", "--picture", "-", "--listing", "-"], "both write to the standard"),
        (["spellcheck.json", "--arg", "3"], "--arg is for C programs"),
        (["spellcheck.json", "--level", "O1"], "--level is for C programs"),
        (["several.json", "--pin", "lookup=cpu"], "called that: spell.c:lookup, other.c:lookup"),
        (["spellcheck.json", "--listing", "there.txt"], "there.txt exists; --force replaces it"),
        (["spellcheck.json", "--picture", "there.svg"], "there.svg exists; --force replaces it"),
        (["spellcheck.json", "--problem", "there.json"], "there.json exists; --force replaces it"),
        (["leaky.json"], "flow is not conserved at block 'probe'"),
        (["negative.json"], "executions must be a whole number from 0 to 2**53, not -2000"),
        (["apart.json"], "block 'hash' is executed 90000 times, but no flow leads to it"),
        (["far.json", "--listing", "-"], "last_line must be at most 1,000,000 to be listed"),
        (["filter.toml", "--listing", "-"], "filter has no listing: no block has file"),
    ],
)
def test_bad_input_is_one_line(run: Run, inside: Path, words: list[str], message: str) -> None:
    for name in ("there.txt", "there.svg", "there.json"):
        Path(name).write_text("mine", encoding="utf-8")
    packaged = ROOT / "numeric" / "partition" / "problem" / "tables" / "kenter2010.toml"
    text = packaged.read_text(encoding="utf-8").replace("control = 2", "control = -2")
    Path("bad.toml").write_text(text, encoding="utf-8")
    apart = json.loads(SPELLCHECK)
    apart["flows"] = [each for each in apart["flows"] if each["to"] == each["from"]]
    for flow in apart["flows"]:
        block = next(each for each in apart["blocks"] if each["name"] == flow["from"])
        flow["executions"] = block["executions"]
    several = json.loads(SPELLCHECK)
    several["blocks"][2]["file"] = "other.c"
    far = json.loads(SPELLCHECK)
    far["blocks"][0]["last_line"] = 1 << 50
    apart["exits"] = ["read", "report"]
    apart["entries"] = ["read", "report"]
    for name, problem in (
        ("leaky.json", without("flows", 3, 147_000)),
        ("negative.json", without("blocks", 0, -2000)),
        ("apart.json", apart),
        ("far.json", far),
        ("several.json", several),
    ):
        Path(name).write_text(json.dumps(problem), encoding="utf-8")
    code, out, err = run("partition", *words)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1
    assert err.startswith("logca: ")
    assert {Path(name).read_text() for name in ("there.txt", "there.svg", "there.json")} == {"mine"}


def test_force_replaces_files(run: Run, inside: Path) -> None:
    for name in ("a.txt", "a.json"):
        Path(name).write_text("mine", encoding="utf-8")
    words = ["--listing", "a.txt", "--problem", "a.json", "--force"]
    code, _, err = run("partition", "spellcheck.json", *words)
    assert (code, err) == (0, "")
    assert json.loads(Path("a.json").read_text())["name"] == "spellcheck"
    assert "(no source)" in Path("a.txt").read_text()


def test_the_listing_of_a_program(fft: Path) -> None:
    text = (fft / "fft.txt").read_text(encoding="utf-8")
    lines = [line.partition("  |") for line in text.splitlines()]
    source = Path(FFT).read_text(encoding="utf-8").splitlines()
    numbered = {
        int(left.split()[0]): left.split()
        for left, bar, _ in lines
        if bar and left[:4].strip().isdigit()
    }
    assert [*numbered] == list(range(1, len(source) + 1))
    body = next(n for n, line in enumerate(source, 1) if "high->re - im" in line)
    assert numbered[body][1] == "106,496"  # N / 2 log N butterflies, there and back
    assert numbered[body][3] == "ACC"
    cosine = next(n for n, line in enumerate(source, 1) if "cos(" in line)
    assert (numbered[cosine][1], numbered[cosine][3]) == ("4,096", "cpu")
    shares = [float(cells[2].strip("<")) for cells in numbered.values() if len(cells) > 2]
    assert sum(shares) == pytest.approx(100, abs=3)
    crossings = [cell for cells in numbered.values() for cell in cells[4:]]
    assert any(cell.startswith(">") for cell in crossings)
    assert any(cell.startswith("<") for cell in crossings)


def test_a_listing_has_lines_of_compiled_files_only(run: Run, inside: Path) -> None:
    Path("secret.txt").write_text("one\ntwo\n", encoding="utf-8")
    Path("a.c").write_text(
        'int a[99];\nint main(void) {\n#line 1 "secret.txt"\n'
        'for (int i = 0; i < 99; i++) a[i] = i;\n#line 2000000000 "a.c"\nreturn 0; }\n',
        encoding="utf-8",
    )
    code, out, _ = run("partition", "a.c", "--listing", "-")
    assert code == 0
    lines = [line.partition("  |") for line in out.splitlines()]
    assert [
        (left.split()[0], text.strip()) for left, bar, text in lines if bar and left.strip()
    ] == [
        ("line", ""),
        ("1", "(no source)"),
        ("line", ""),
        ("1", "int a[99];"),
        ("2", "int main(void) {"),
        ("3", '#line 1 "secret.txt"'),
        ("4", "for (int i = 0; i < 99; i++) a[i] = i;"),
        ("5", '#line 2000000000 "a.c"'),
        ("6", "return 0; }"),
        ("2000000000", "(no source)"),
    ]


def test_the_problem_of_a_program_is_a_problem(run: Run, fft: Path) -> None:
    """On designs whose caches are shared it has the same optimum."""
    data = json.loads(run("partition", str(fft / "fft.json"), "--json")[1])
    whole = json.loads(run("partition", FFT, "--design", "SL1", "--json")[1])
    for name in ("speedup", "theoretical_speedup", "area_used", "time"):
        assert data[name] == whole[name], name


def test_without_graphviz_the_picture_names_it(
    run: Run, inside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    code, out, err = run("partition", "missing.c", "--picture", "a.svg")
    assert (code, out) == (5, "")
    assert "pygraphviz" in err
    assert "pip install 'logca[partition]'" in err


def test_without_its_solver_it_names_it(
    run: Run, inside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ortools", None)
    code, _, err = run("partition", "spellcheck.json")
    assert code == 5
    assert "pip install 'logca[partition]'" in err


def test_no_algebra_and_no_word_in_a_pipe(inside: Path) -> None:
    code = (
        "import sys; sys.argv = ['logca', 'partition', 'spellcheck.json', '--json']\n"
        "import atexit\n"
        "heavy = {'sympy', 'matplotlib', 'pygraphviz'}\n"
        "atexit.register(lambda: print(heavy & {*sys.modules}, file=sys.stderr))\n"
        "from logca.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"set()\n")
    assert json.loads(done.stdout)["name"] == "spellcheck"


def test_control_c_ends_it(inside: Path, interrupted: Callable[..., tuple[int, bytes]]) -> None:
    Path("endless.c").write_text(ENDLESS, encoding="utf-8")
    ended = interrupted(b"running", "partition", "endless.c", "--problem", "a.json")
    assert ended == (130, b"")
    assert not Path("a.json").exists()


def test_other_associativities_are_simulated(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two arrays that share all lines of direct-mapped caches do not share those of two ways."""
    monkeypatch.chdir(tmp_path)
    text = "char a[1 << 15] __attribute__((aligned(1 << 15)));\n"
    text += "char b[1 << 15] __attribute__((aligned(1 << 15)));\n"
    text += "int main(void) { int s = 0; for (int k = 0; k < 9; k++) for (int i = 0; i < 4096; "
    text += "i += 64) s += a[i] + b[i]; return s; }\n"
    (tmp_path / "two.c").write_text(text, encoding="utf-8")
    code, out, err = run("partition", "two.c", "--associativity", "2,4", "--json")
    assert (code, err) == (0, "")
    found = json.loads(out)["associativity"]
    assert found["ways"] == [2, 4]
    cold, again = 128 * 200, 8 * 128
    assert found["cpu_only_error"] == pytest.approx((cold + 15 * again) / (cold + 3 * again) - 1)
    code, out, _ = run("partition", "two.c", "--associativity", "1,1")
    assert code == 0
    assert "direct-mapped ones take 0.0 % more for memory, 0.0 % more on the CPU alone" in out


@pytest.mark.parametrize(
    ("ways", "complaint"),
    [
        ("8", "write two whole numbers"),
        ("3,4", "l1 with 3 ways; allowed are powers of two up to its 512 lines"),
        ("1024,1024", "l1 with 1024 ways"),
        ("8,16", "a described problem has none"),
    ],
)
def test_associativities_that_there_are_not(
    run: Run, inside: Path, ways: str, complaint: str
) -> None:
    source = "filter.toml" if ways == "8,16" else "cold.c"
    code, _, err = run("partition", source, "--associativity", ways)
    assert code == 2
    assert complaint in err
