"""The files that the compiler read, among those that a source names."""

from pathlib import Path

import pytest

from logca.trace.source.compiler import preprocessed
from logca.trace.source.dependencies import compiled_among, dependencies_of


@pytest.mark.parametrize("name", ["a.h", "a b.h", "a#b.h", "a$b.h", "größe.h", "a%b.h", "a:b.h"])
def test_headers_of_any_name_are_found(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("int n;\n")
    source, listed = tmp_path / "main.c", tmp_path / "0.d"
    source.write_text(f'#include "{name}"\n#line 1 "/etc/passwd"\nint main(void) {{ return n; }}\n')
    texts = preprocessed(source, defines={}, includes=(), flags=(), dependencies=[listed])
    assert "int main(void)" in texts[source]
    assert dependencies_of([listed]) == [str(source), str(tmp_path / name)]


def test_names_are_compared_by_the_files_that_they_lead_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("include").mkdir()
    Path("include/a.h").touch()
    Path("link.h").symlink_to("include/a.h")
    names = {"main.c", str(tmp_path / "include/../include/a.h"), "link.h", "b.h", "/dev/zero"}
    found = compiled_among(names, ["main.c"], ["include/a.h"])
    assert found == names - {"b.h", "/dev/zero"}


def test_without_a_list_only_sources_are_known(tmp_path: Path) -> None:
    assert dependencies_of([tmp_path / "missing.d"]) == []
    assert compiled_among({"a.c", "a.h"}, ["a.c"], []) == {"a.c"}
