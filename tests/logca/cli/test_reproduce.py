"""`logca reproduce`, as a user meets it."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from logca.common.tables import markdown, text
from logca.gpu.paper.reproduction import Job, Outcome, jobs_for
from logca.gpu.paper.table_rows import entries
from logca.show.reproduce.cgpredict import checks_table, table_of
from logca.show.reproduce.cgpredict_figures import figure_table, picture_of

Run = Callable[..., tuple[int, str, str]]


def as_the_paper_estimates(models: tuple[str, ...]) -> dict[Job, Outcome]:
    """Outcomes whose times are the paper's estimates, without kernels; those of logca twice."""
    tables = [f"table{number}" for number in range(4, 8)]
    rows = {(table, entry.name): entry for table in tables for entry in entries(table)}
    return {
        job: Outcome(
            entry=rows[job.table, job.name],
            model=job.model,
            scale=job.scale,
            time_s=rows[job.table, job.name].estimate_s * (2 if job.model == "logca" else 1),
            prediction=None,
            failure="made up for this test",
        )
        for job in jobs_for(tables, (8, 9), models)
    }


def test_help_has_examples(run: Run) -> None:
    code, out, _ = run("reproduce", "--help")
    assert code == 0
    assert "logca reproduce cgpredict --table 4 --model paper" in out


def test_a_table_as_text_json_and_markdown(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "tables.md"
    arguments = ("--table", "7", "--model", "paper", "-o", str(path))
    code, out, err = run("reproduce", "cgpredict", *arguments, "--json")
    assert code == 0
    assert err == f"{path}: {path.stat().st_size / 1000:.0f} kB\n"
    data = json.loads(out)
    rows = {row["name"]: row for row in data["tables"]["table7"]["rows"]}
    assert list(rows) == ["MM", "MVT", "GEMVER1", "DERICHE1", "DCT1D"]
    found = rows["MM"]["models"]["paper"]
    assert found["time_s"] == pytest.approx(0.24251, rel=1e-3)  # wang2017, Table 7
    assert found["error"] == pytest.approx(found["time_s"] / 0.25027 - 1)
    assert found["mwp"] == pytest.approx(54.45, abs=0.005)
    choices = data["tables"]["table7"]["choices"]
    assert [each["ours"]["paper"] for each in choices] == [each["printed"] for each in choices]
    both = data["tables"]["table7"]["agreement"]["paper"]["gpu_and_fpga"]
    assert (both["rows"], both["rank_correlation"]) == (10, pytest.approx(1.0))
    assert data["calibration"] is None
    told = path.read_text(encoding="utf-8")
    assert "## Table 7: GPU or FPGA" in told
    assert "| MM | 1024 | 250.27 | 242.51 | 242.52 |" in told


def test_all_tables_and_figures_are_drawn_from_what_was_found() -> None:
    models = ("paper", "logca")
    found = as_the_paper_estimates(models)
    tables = [table_of(f"table{number}", found, models) for number in range(4, 8)]
    shown = [each for table in tables for each in table]
    shown += [each for figure in (8, 9) for each in figure_table(figure, found, models)]
    shown.append(checks_table())
    told = text(shown)
    assert markdown(shown).count("\n## ") >= 6
    assert "not predicted: made up for this test" in told
    line = next(line for line in told.splitlines() if line.startswith("GEMM"))
    # Printed: 249.16 ms measured, 242.53 ms estimated; ours are these, and twice these.
    assert line.split() == [
        *("GEMM", "1024", "249.16", "242.53", "2.66"),
        *("242.53", "-2.66", "0.00", "485.06", "+94.68", "+100.00"),
    ]
    # The paper's 13-row mean from its own times.
    assert "wang2017, 13 rows with a defined workload       13          8.78" in told


def test_the_picture_of_a_figure() -> None:
    from logca.plots.charts import draw_dots
    from logca.plots.render import picture

    models = ("paper", "logca")
    dots = picture_of(9, as_the_paper_estimates(models), models)
    axes = draw_dots(dots).axes[0]
    assert axes.get_xscale() == "log"
    assert axes.get_xlabel() == "error from the measured time [%]"
    labels = [tick.get_text() for tick in axes.get_yticklabels()]
    assert labels == [entry.name for entry in entries("table4") if not entry.undefined]
    lines = {str(line.get_label()): line for line in axes.get_lines()}
    assert list(lines) == ["wang2017, printed", "baseline", "model paper", "model logca"]
    assert len({str(line.get_marker()) for line in lines.values()}) == 4
    places = list(lines["model logca"].get_xdata())
    assert places[labels.index("GEMM")] == pytest.approx(100 * (2 * 242.53 / 249.16 - 1))
    one, again = (picture(dots, ".svg") for _ in range(2))
    assert one == again
    assert one.startswith(b"<?xml")
    with pytest.raises(ValueError, match="must end in"):
        picture(dots, ".gif")


def test_files_are_not_overwritten_unasked(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "there.md"
    path.write_text("mine", encoding="utf-8")
    code, _, err = run("reproduce", "cgpredict", "--table", "6", "-o", str(path))
    assert code == 2
    assert "exists; --force replaces it" in err
    assert path.read_text(encoding="utf-8") == "mine"
