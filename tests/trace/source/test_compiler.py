"""Finding a compiler, and refusing what cannot be one."""

import os
import stat
import subprocess
import sys
from importlib import util
from pathlib import Path

import pytest

from logca.common.errors import CompileError, TraceError
from logca.common.extras import MissingCompilerError, require
from logca.trace.compile.driver import compile_program
from logca.trace.source import compiler as module
from logca.trace.source.compiler import Toolchain, cpp_hint, toolchain, zig_target


def script(folder: Path, name: str, says: str) -> str:
    """A program that prints a text."""
    path = folder / name
    path.write_text(f"#!/bin/sh\ncat <<'END'\n{says}\nEND\n", encoding="utf-8")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_zig_is_preferred(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LOGCA_CC", raising=False)
    found = toolchain()
    assert found.kind == "zig"
    assert Path(found.command[0]).stem == "zig"  # itself, not by the start of a Python
    answer = subprocess.run(
        [*found.command, "--version"], capture_output=True, text=True, check=True
    )
    assert f"clang version {found.major}." in answer.stdout


@pytest.mark.skipif(os.name != "posix", reason="scripts of the shell")
def test_a_clang_by_its_path_or_by_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = script(tmp_path, "my-clang", "Debian clang version 19.1.4 (1)\nTarget: x86_64")
    found = toolchain(path)
    assert (found.kind, found.major, found.command, found.target) == ("clang", 19, (path,), ())
    monkeypatch.setenv("LOGCA_CC", path)
    assert toolchain() == found


@pytest.mark.skipif(os.name != "posix", reason="scripts of the shell")
def test_a_clang_newer_than_llvm_is_refused(tmp_path: Path) -> None:
    path = script(tmp_path, "clang", "clang version 99.0.0")
    with pytest.raises(TraceError, match=r"is clang 99, but llvmlite reads .* upgrade llvmlite"):
        toolchain(path)


@pytest.mark.skipif(os.name != "posix", reason="scripts of the shell")
def test_another_compiler_is_refused(tmp_path: Path) -> None:
    path = script(tmp_path, "gcc", "gcc (Debian 12.2.0-14) 12.2.0")
    with pytest.raises(TraceError, match=r"is no clang \(it says: gcc \(Debian"):
        toolchain(path)


def test_a_compiler_that_does_not_exist() -> None:
    with pytest.raises(MissingCompilerError, match=r"no compiler 'nowhere'.*logca\[trace\]"):
        toolchain("nowhere")


def test_a_missing_package_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "llvmlite", None)
    with pytest.raises(MissingCompilerError, match=r"needs llvmlite.*pip install 'logca\[trace\]'"):
        toolchain("zig")


def test_without_zig_and_clang(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("LOGCA_CC", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    monkeypatch.setitem(sys.modules, "ziglang", None)
    module.checked_toolchain.cache_clear()
    with pytest.raises(MissingCompilerError, match=r"needs ziglang.*pip install 'logca\[trace\]'"):
        toolchain()


def test_what_is_required_and_there() -> None:
    assert require("string", "trace") is sys.modules["string"]
    assert util.find_spec("ziglang") is not None


def test_variables_of_the_user_are_honoured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ZIG_GLOBAL_CACHE_DIR", str(tmp_path))
    monkeypatch.delenv("ZIG_LOCAL_CACHE_DIR", raising=False)
    variables = toolchain("zig").environment()
    assert variables["ZIG_GLOBAL_CACHE_DIR"] == str(tmp_path)
    assert Path(variables["ZIG_LOCAL_CACHE_DIR"]).is_dir()


def test_a_clang_gets_no_variables_of_zig(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ZIG_GLOBAL_CACHE_DIR", raising=False)
    tool = Toolchain(kind="clang", command=("clang",), major=19, target=())
    assert "ZIG_GLOBAL_CACHE_DIR" not in tool.environment()


@pytest.mark.parametrize(
    ("system", "machine", "target"),
    [
        ("Linux", "x86_64", "x86_64-linux-gnu.2.28"),
        ("Linux", "aarch64", "aarch64-linux-gnu.2.28"),
        ("Darwin", "arm64", "aarch64-macos"),
        ("Windows", "AMD64", "x86_64-windows-gnu"),
    ],
)
def test_targets(system: str, machine: str, target: str) -> None:
    assert zig_target(system, machine) == ("-target", target)


def test_elsewhere_zig_decides() -> None:
    assert zig_target("FreeBSD", "riscv64") == ()


def test_quotes_spaces_and_dollars_in_a_path(tmp_path: Path) -> None:
    folder = tmp_path / "a dir"
    folder.mkdir()
    source = folder / "it's $x #1.c"
    source.write_text("int main(void) { return 0; }\n", encoding="utf-8")
    assert compile_program(source).program.files == (str(source),)


@pytest.mark.parametrize(
    "text",
    ["template <class T> T f(T x);", "namespace n {", "class A {", "  using x = int;"],
)
def test_cpp_is_recognised(tmp_path: Path, text: str) -> None:
    source = tmp_path / "plus.c"
    source.write_text(f"int a;\n{text}\n", encoding="utf-8")
    with pytest.raises(CompileError, match=r"line 2 is C\+\+"):
        compile_program(source)


def test_an_error_in_c_is_not_said_to_be_of_cpp(tmp_path: Path) -> None:
    source = tmp_path / "plain.c"
    source.write_text("#include <stdio.h>\nint class = oops;\n", encoding="utf-8")
    assert cpp_hint(source) == ""
