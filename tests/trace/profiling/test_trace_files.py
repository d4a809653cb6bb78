"""Traces as files: what is written can be read, by others too, and nothing is half written."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet
import pytest

from logca import trace
from logca.trace.profiling.trace_files import SUFFIXES

SOURCE = """
#include <string.h>
int A[8][5], B[8][5], total;
static int sum(const int *row) {
    int result = 0;
    for (int j = 0; j < 5; j++)
        result += row[j];
    return result;
}
int main(void) {
    total = 1;
#pragma logca offload
    for (int i = 0; i < 8; i++)
        total += sum(A[i]);
    memcpy(B, A, sizeof A);
    return total != 1;
}
"""
LINE_OF_SUM, LINE_OF_TOTAL, LINE_OF_COPY = 7, 14, 15


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("traced") / "rows.c"
    path.write_text(SOURCE)
    return path


@pytest.fixture(scope="module", params=SUFFIXES)
def file(request: pytest.FixtureRequest, source: Path) -> Path:
    path = source.with_suffix(str(request.param))
    profile = trace.profile(source, defines={"UNUSED": None, "N": 8}, output=path)
    assert profile.output == path
    return path


def table(path: Path) -> pyarrow.Table:
    """As a program would read it that does not know us."""
    if path.suffix == ".parquet":
        return pyarrow.parquet.read_table(path)
    return pyarrow.feather.read_table(path)


def test_every_access_is_a_row(file: Path) -> None:
    rows = table(file).to_pylist()
    assert Counter((row["line"], row["store"]) for row in rows) == {
        (11, True): 1,
        (LINE_OF_SUM, False): 40,
        (LINE_OF_TOTAL, False): 8,
        (LINE_OF_TOTAL, True): 8,
        (LINE_OF_COPY, False): 1,
        (LINE_OF_COPY, True): 1,
        (16, False): 1,
    }
    elements = [row for row in rows if row["line"] == LINE_OF_SUM]
    start = elements[0]["address"]
    assert [row["address"] - start for row in elements] == [4 * n for n in range(40)]
    assert [(row["iteration_0"], row["iteration_1"]) for row in elements] == [
        (i, j) for i in range(8) for j in range(5)
    ]
    assert {row["size"] for row in elements} == {4}
    assert [row["size"] for row in rows if row["line"] == LINE_OF_COPY] == [160, 160]
    outside = [row for row in rows if row["line"] in (11, LINE_OF_COPY)]
    assert {(row["iteration_0"], row["iteration_1"]) for row in outside} == {(None, None)}
    inside = [row for row in rows if row["line"] == LINE_OF_TOTAL]
    assert {row["iteration_1"] for row in inside} == {None}


def test_types_of_the_columns(file: Path) -> None:
    schema = table(file).schema
    assert [(field.name, str(field.type)) for field in schema] == [
        ("access", "uint32"),
        ("address", "uint64"),
        ("size", "uint32"),
        ("store", "bool"),
        ("line", "uint32"),
        ("iteration_0", "int32"),
        ("iteration_1", "int32"),
    ]


def test_the_reader_gives_the_same_rows_and_what_they_mean(file: Path) -> None:
    metadata, batches = trace.read_trace(file)
    batches = list(batches)
    assert pyarrow.Table.from_batches(batches).to_pylist() == table(file).to_pylist()
    assert (metadata["format"], metadata["version"]) == ("logca-trace", "1")
    program, run = metadata["program"], metadata["run"]
    assert program["level"] == "as-written"
    assert program["defines"] == {"UNUSED": None, "N": "8"}
    assert program["files"] == [str(file.with_suffix(".c"))]
    assert program["region"] == {"title": "the whole program", "nests": None}
    assert [each["id"] for each in program["accesses"]] == list(range(len(program["accesses"])))
    for row in batches[0].to_pylist():
        access = program["accesses"][row["access"]]
        assert (access["line"], access["store"]) == (row["line"], row["store"])
    (inner,) = (loop for loop in program["loops"] if loop["function"] == "sum")
    assert inner["inductions"] == ["j"]
    assert run["recorded"] == sum(batch.num_rows for batch in batches)
    assert (run["truncated"], run["ending"], run["status"]) == (False, "exit", 0)
    assert len(run["edge_counts"]) == len(program["edges"])
    assert run["block_counts"][inner["header"]] == 8 * 6


@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
def test_a_region_has_launches(source: Path, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"nest{suffix}"
    trace.profile(source, region="pragma", output=path)
    metadata, batches = trace.read_trace(path)
    rows = [row for batch in batches for row in batch.to_pylist()]
    (nest,) = metadata["program"]["region"]["nests"]
    assert metadata["program"]["loops"][nest]["offload"] == 1
    assert {(row["nest"], row["launch"]) for row in rows} == {(nest, 0)}
    assert Counter(row["line"] for row in rows) == {LINE_OF_SUM: 40, LINE_OF_TOTAL: 16}


def test_a_function_has_its_rows_only(source: Path, tmp_path: Path) -> None:
    path = tmp_path / "sum.arrow"
    trace.profile(source, function="sum", output=path)
    assert {row["line"] for row in table(path).to_pylist()} == {LINE_OF_SUM}
    run = trace.read_trace(path)[0]["run"]
    assert (len(table(path)), run["rows"], run["recorded"]) == (40, 40, 60)


@pytest.mark.parametrize("suffix", [".parquet", ".feather"])
def test_a_trace_that_was_cut_says_so(source: Path, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"cut{suffix}"
    trace.profile(source, output=path, limits=trace.Limits(records=17))
    metadata, batches = trace.read_trace(path)
    assert sum(batch.num_rows for batch in batches) == 17
    assert metadata["run"]["truncated"] is True


@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
def test_a_program_without_accesses(tmp_path: Path, suffix: str) -> None:
    source, path = tmp_path / "empty.c", tmp_path / f"empty{suffix}"
    source.write_text("int main(void) { return 0; }\n")
    trace.profile(source, output=path)
    metadata, batches = trace.read_trace(path)
    assert sum(batch.num_rows for batch in batches) == 0
    assert metadata["run"]["recorded"] == 0


def test_nothing_is_overwritten_unasked(source: Path, tmp_path: Path) -> None:
    path = tmp_path / "kept.parquet"
    path.write_bytes(b"mine")
    with pytest.raises(trace.TraceFileError, match=r"exists; --force .* replaces it"):
        trace.profile(source, output=path)
    assert path.read_bytes() == b"mine"
    link = tmp_path / "link.parquet"
    link.symlink_to(path)
    trace.profile(source, output=link, force=True)
    assert link.is_symlink()
    assert trace.read_trace(path)[0]["run"]["recorded"] == 60


@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
@pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
def test_an_interrupted_run_leaves_no_file(
    source: Path, tmp_path: Path, suffix: str, error: type[BaseException]
) -> None:
    def stop(_step: str, number: int) -> None:
        if number:
            raise error

    path = tmp_path / f"half{suffix}"
    path.write_bytes(b"old")
    with pytest.raises(error):
        trace.profile(source, output=path, force=True, tell=stop)
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
    assert path.read_bytes() == b"old"


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("t.csv", r"must end in .parquet, .arrow or .feather, not '.csv'"),
        ("trace", r"trace must end in .parquet, .arrow or .feather$"),
        ("nowhere/t.parquet", "there is no folder"),
        ("folder.parquet", "is a folder"),
    ],
)
def test_files_that_cannot_be_written(source: Path, tmp_path: Path, name: str, says: str) -> None:
    (tmp_path / "folder.parquet").mkdir()
    with pytest.raises(trace.TraceFileError, match=says):
        trace.profile(source, output=tmp_path / name)


def rewritten(path: Path, target: Path, **changes: str | None) -> None:
    """The same rows with other metadata."""
    rows = table(path)
    known = {key.decode(): value.decode() for key, value in rows.schema.metadata.items()}
    known |= {"run": "{}"}
    kept = {key: value for key, value in (known | changes).items() if value is not None}
    pyarrow.parquet.write_table(rows.replace_schema_metadata(kept), target)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"format": None}, "is no trace"),
        ({"format": "another"}, "is no trace"),
        ({"version": "2"}, "version 2, and this logca reads version 1"),
        ({"run": None}, "is incomplete"),
        ({"run": "[]"}, "no tables, or no number of rows"),
        ({"run": '{"rows": true}'}, "no tables, or no number of rows"),
        ({"program": "1", "run": '{"rows": 1}'}, "no tables, or no number of rows"),
    ],
)
def test_files_that_are_no_trace_of_ours(
    source: Path, tmp_path: Path, changes: dict[str, Any], says: str
) -> None:
    whole, other = source.with_name("whole.parquet"), tmp_path / "other.parquet"
    if not whole.exists():
        trace.profile(source, output=whole)
    rewritten(whole, other, **changes)
    with pytest.raises(trace.TraceFileError, match=says):
        trace.read_trace(other)


def test_a_trace_with_fewer_accesses_than_it_says_is_damaged(source: Path, tmp_path: Path) -> None:
    whole, other = source.with_name("whole.parquet"), tmp_path / "other.parquet"
    if not whole.exists():
        trace.profile(source, output=whole)
    count = pyarrow.parquet.read_metadata(whole).num_rows
    rewritten(whole, other, run=json.dumps({"rows": count + 1}))
    _, batches = trace.read_trace(other)
    with pytest.raises(trace.TraceFileError, match=f"{count} accesses, and .* say {count + 1}"):
        list(batches)


@pytest.mark.parametrize(
    "name", ["x" * 300 + ".arrow", "torn.parquet", "torn.arrow", "none.parquet", "rows.json"]
)
def test_files_that_cannot_be_read(tmp_path: Path, name: str) -> None:
    (tmp_path / "torn.parquet").write_bytes(b"PAR1 and no more")
    (tmp_path / "torn.arrow").write_bytes(b"ARROW1 and no more")
    (tmp_path / "rows.json").write_text(json.dumps([]))
    with pytest.raises(trace.TraceFileError, match=name):
        trace.read_trace(tmp_path / name)


@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
def test_a_value_that_has_changed_is_noticed(source: Path, tmp_path: Path, suffix: str) -> None:
    whole, other = tmp_path / f"whole{suffix}", tmp_path / f"other{suffix}"
    trace.profile(source, output=whole)
    metadata, batches = trace.read_trace(whole)
    rows = pyarrow.Table.from_batches(list(batches))
    known = {key: json.dumps(metadata[key]) for key in ("program", "run")}
    known |= {"format": metadata["format"], "version": metadata["version"]}
    sizes = rows["size"].to_pylist()
    place = rows.schema.get_field_index("size")
    for changed in (False, True):
        cells = [sizes[0] + changed, *sizes[1:]]
        column = pyarrow.array(cells, rows.schema.field("size").type)
        made = rows.set_column(place, rows.schema.field("size"), column)
        made = made.replace_schema_metadata(known)
        if suffix == ".parquet":
            pyarrow.parquet.write_table(made, other)
        else:
            with pyarrow.ipc.new_file(str(other), made.schema) as file:
                file.write_table(made)
                file.write_batch(pyarrow.RecordBatch.from_pylist([], schema=made.schema))
        _, batches = trace.read_trace(other)
        if changed:
            with pytest.raises(trace.TraceFileError, match="values of size have changed"):
                list(batches)
        else:
            assert sum(map(len, batches)) == len(sizes)
