"""Problems of users: what a file says, and what is wrong with one."""

import json
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from logca.numeric.partition.problem.blocks import ProblemError
from logca.numeric.partition.problem.files import FORMAT, load_problem, problem_from, saved

GOOD: dict[str, Any] = {
    "format": FORMAT,
    "name": "loop",
    "blocks": [
        {"name": "in", "executions": 1, "operations": 4},
        {"name": "body", "executions": 9, "operations": 7, "real_casts": 2, "area": 12},
        {"name": "out", "executions": 1, "operations": 1, "pinned": "calls printf"},
    ],
    "flows": [
        {"from": "in", "to": "body", "executions": 1},
        {"from": "body", "to": "body", "executions": 8},
        {"from": "body", "to": "out", "executions": 1},
    ],
    "values": [
        {"name": "sum", "producer": "body", "consumers": ["out", {"block": "in", "executions": 0}]}
    ],
    "loops": [["body"]],
}


def test_what_a_file_says() -> None:
    found = problem_from(GOOD, "loop.json")
    assert [block.area for block in found.blocks] == [4, 12, 1]
    assert [block.pinned for block in found.blocks] == ["", "", "calls printf"]
    (value,) = found.values
    assert (value.producer, value.sent, value.consumers) == (1, 9, ((2, 1), (0, 0)))
    assert found.loops == ((1,),)


def test_a_problem_survives_saving(tmp_path: Path) -> None:
    found = problem_from(GOOD, "loop.json")
    path = tmp_path / "again.json"
    path.write_text(json.dumps(saved(found)), encoding="utf-8")
    assert load_problem(path) == found


def test_toml_is_as_good(tmp_path: Path) -> None:
    path = tmp_path / "one.toml"
    path.write_text(
        f'format = "{FORMAT}"\n[[blocks]]\nname = "all"\nexecutions = 3\noperations = 5\n'
        "[blocks.accesses]\nL1 = 7\nmemory = 1\n",
        encoding="utf-8",
    )
    found = load_problem(path)
    assert (found.name, found.blocks[0].accesses) == ("one", (7, 0, 1))


def changed(path: tuple[str | int, ...], value: object) -> dict[str, Any]:
    data = deepcopy(GOOD)
    place: Any = data
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return data


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("format",), "other", "format must be 'logca-partition-1', not 'other'"),
        (("blocks",), [], "blocks must list at least one block"),
        (("blocks",), {}, "blocks must be a list"),
        (("block",), 1, "unknown key 'block'; did you mean 'blocks'"),
        (("blocks", 0, "name"), "body", "two blocks are called 'body'"),
        (("blocks", 0, "executions"), -1, "block 'in': executions must be a whole number from 0"),
        (("blocks", 0, "operations"), 1.5, "block 'in': operations must be a whole number"),
        (("blocks", 0, "executions"), True, "executions must be a whole number"),
        (("blocks", 1, "executions"), 8, "not conserved at block 'body': it is executed 8 times"),
        (("flows", 1, "executions"), 7, "not conserved at block 'body': it is executed 9 times"),
        (("flows", 0, "to"), "boby", "there is no block 'boby'; did you mean 'body'"),
        (("flows", 2), {"from": "body", "to": "in", "executions": 1}, "at block 'out'"),
        (("values", 0, "producer"), "x", r"values\[0\]: producer: there is no block 'x'"),
        (("blocks", 1, "accesses"), {"L3": 1}, "unknown key 'L3'"),
        (("exits",), ["in"], "not conserved at block 'out'"),
        (("loops",), [["nobody"]], r"loops\[0\]: there is no block 'nobody'"),
        (("blocks", 1, "pinned"), "accelerator", "body': pinned is the reason .*--pin"),
        (
            ("blocks", 1, "operations"),
            2 * 10**15,
            "body': operations must be at most 1,000,799,",
        ),
        (("values",), [GOOD["values"][0]] * 2, "two values are called "),
        (("values", 0, "name"), 5, r"values\[0\]: name must be a text, not 5"),
        (("notes",), [1], "notes must be a list of texts"),
    ],
)
def test_what_is_wrong_is_named(path: tuple[str | int, ...], value: object, message: str) -> None:
    with pytest.raises(ProblemError, match=message) as error:
        problem_from(changed(path, value), "mine.json")
    assert str(error.value).startswith("mine.json: ")


def test_a_value_of_a_block_that_never_runs_is_fetched_by_none() -> None:
    data = deepcopy(GOOD)
    data["blocks"].append({"name": "rare", "executions": 0, "operations": 1})
    consumer = {"block": "body", "executions": 0}
    data["values"] = [{"name": "late", "producer": "rare", "consumers": [consumer]}]
    assert problem_from(data, "mine.json").values[0].consumers == ((1, 0),)
    consumer["executions"] = 3
    with pytest.raises(ProblemError, match="'rare' is never executed, and block 'body' cannot fet"):
        problem_from(data, "mine.json")


def test_what_no_flow_reaches_is_named() -> None:
    data = deepcopy(GOOD)
    data["blocks"].append({"name": "island", "executions": 2, "operations": 1})
    data["flows"].append({"from": "island", "to": "island", "executions": 2})
    with pytest.raises(ProblemError, match="'island' is executed 2 times, but no flow leads to it"):
        problem_from(data, "mine.json")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.txt", "", "ends in .json or .toml"),
        ("a.json", "{", "not JSON"),
        ("a.json", "[1]", "must be a table"),
        ("a.toml", "a =", "not TOML"),
        ("a.json", "\xff", "not JSON"),
        ("a.json", "[" * 99_999, "a.json: its brackets are nested too deeply"),
    ],
)
def test_files_that_are_no_problem(tmp_path: Path, name: str, text: str, message: str) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ProblemError, match=message):
        load_problem(path)
    with pytest.raises(ProblemError, match="there is no file"):
        load_problem(tmp_path / "missing.json")


def test_a_line_that_is_left_out_is_as_the_other() -> None:
    for given, lines in (
        ({}, (0, 0)),
        ({"first_line": 4}, (4, 4)),
        ({"last_line": 4}, (4, 4)),
        ({"first_line": 4, "last_line": 6}, (4, 6)),
    ):
        block = problem_from(changed(("blocks", 1), GOOD["blocks"][1] | given), "a.json").blocks[1]
        assert (block.first_line, block.last_line) == lines
    wrong = {"first_line": 12, "last_line": 7}
    with pytest.raises(ProblemError, match="'body': first_line 12 comes after last_line 7"):
        problem_from(changed(("blocks", 1), GOOD["blocks"][1] | wrong), "a.json")


def test_what_is_never_executed_accesses_nothing() -> None:
    data = deepcopy(GOOD)
    data["blocks"].append({"name": "never", "executions": 0, "operations": 3})
    assert problem_from(data, "a.json").blocks[3].accesses == (0, 0, 0)
    data["blocks"][3]["accesses"] = {"L2": 1}
    with pytest.raises(ProblemError, match="block 'never': it has accesses, and is never executed"):
        problem_from(data, "a.json")


def test_saved_values_have_names_of_their_own() -> None:
    found = problem_from(GOOD, "a.json")
    (value,) = found.values
    several = replace(
        found, values=(value, value, replace(value, name="sum (2)"), value), notes=("a", "b")
    )
    again = problem_from(saved(several), "a.json")
    assert [each.name for each in again.values] == ["sum", "sum (3)", "sum (2)", "sum (4)"]
    assert [replace(each, name="sum") for each in again.values] == [value] * 4
    assert again.notes == ("a", "b")
