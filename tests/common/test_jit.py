"""Compiled loops: kept on disk while their sources are the same, made anew where that is barred."""

import sys
from importlib import import_module, invalidate_caches
from pathlib import Path
from typing import Any

import numba
import pytest

from logca.common import jit
from logca.common.jit import compiled


def module(folder: Path, name: str, text: str) -> Any:
    (folder / f"{name}.py").write_text(text, encoding="utf-8")
    sys.modules.pop(name, None)
    invalidate_caches()
    return import_module(name)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "kept"))
    return tmp_path


def test_what_is_on_disk_is_used_until_a_source_changes(folder: Path) -> None:
    used = module(folder, "loops_used", "import numba\nadd = numba.njit(lambda x: x + 1)\n")
    text = "from loops_used import add\ndef twice(x):\n    return add(add(x))\n"
    first = compiled(module(folder, "loops_user", text).twice, used)
    assert first(1) == 3
    again = compiled(module(folder, "loops_user", text).twice, used)
    assert again(1) == 3
    assert sum(again.stats.cache_hits.values()) == 1
    used = module(folder, "loops_used", "import numba\nadd = numba.njit(lambda x: x + 5)\n")
    changed = compiled(module(folder, "loops_user", text).twice, used)
    assert changed(1) == 11
    assert sum(changed.stats.cache_hits.values()) == 0


def test_types_of_arguments_may_be_renamed_in_a_file_beside(folder: Path) -> None:
    text = "def first(pair):\n    return pair[0]\n"
    for name in ("Pair", "Couple"):
        types = (
            "from typing import NamedTuple\nclass NAME(NamedTuple):\n    one: int\n    other: int\n"
        )
        pair = getattr(module(folder, "loops_types", types.replace("NAME", name)), name)
        assert compiled(module(folder, "loops_first", text).first)(pair(3, 4)) == 3


def test_a_folder_that_cannot_be_written_to_is_done_without(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "kept").write_text("not a folder", encoding="utf-8")
    half = module(folder, "loops_half", "def half(x):\n    return x / 2\n").half
    assert compiled(half)(3) == 1.5
    assert str(folder / "kept") == numba.config.CACHE_DIR


def test_without_a_folder_of_the_user_the_cache_of_the_system_is_taken(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda *_, **__: str(folder / "system"))
    half = module(folder, "loops_system", "def half(x):\n    return x / 2\n").half
    made = compiled(half)
    assert made(3) == 1.5
    assert Path(made.stats.cache_path).is_relative_to(folder / "system" / "compiled")
    assert jit.compiled(half) is made
