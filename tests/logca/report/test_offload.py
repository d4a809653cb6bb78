"""The report of an offload: what is in it, and nothing that was not ours."""

from dataclasses import replace
from pathlib import Path

import pytest
from offloads import made

pytest.importorskip("matplotlib")

from logca.report.offload import offload_report_html


def test_the_page_has_the_answer_both_paths_and_what_stays() -> None:
    page = offload_report_html(made(float, lambda n: 5.0))
    for part in ("Worth it from N", "Both paths", "What would help", "Not offloaded", "A note."):
        assert part in page
    assert "<script" not in page
    # names of arrays and devices are texts
    assert "<b>" not in page
    assert "GPU &lt;1&gt;" in page


def test_the_source_of_the_loops_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("dir").mkdir()
    Path("dir/file.c").write_text("\n" * 6 + "for (i = 0; i < n; i++)\n    a[i] = b[i];\n")
    found = made(float, lambda n: 5.0)
    page = offload_report_html(found)
    assert "    7  for (i = 0; i &lt; n; i++)\n    8      a[i] = b[i];" in page
    # a line directive names it, and the compiler has not read it
    elsewhere = offload_report_html(replace(found, compiled_files=frozenset()))
    assert "a[i] = b[i];" not in elsewhere
