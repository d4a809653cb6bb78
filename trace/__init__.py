"""C programs, run and watched: control flow, counts of blocks and edges, and every memory access.

Everything is loaded when it is first used.

Examples
--------
>>> from logca import trace
>>> trace.Limits(time_s=10).time_s
10
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from logca.trace.compilation import Compiled, compile_program
    from logca.trace.decoding import Chunk
    from logca.trace.errors import CompileError, MissingCompilerError, RegionError, TraceError
    from logca.trace.execution import Run, run
    from logca.trace.files import TraceFileError, read_trace
    from logca.trace.limits import Limits
    from logca.trace.profiling import Profile, profile
    from logca.trace.program import Program

__all__ = [
    "Chunk",
    "CompileError",
    "Compiled",
    "Limits",
    "MissingCompilerError",
    "Profile",
    "Program",
    "RegionError",
    "Run",
    "TraceError",
    "TraceFileError",
    "compile_program",
    "profile",
    "read_trace",
    "run",
]

_HOMES = {
    "Chunk": "decoding",
    "CompileError": "errors",
    "Compiled": "compilation",
    "Limits": "limits",
    "MissingCompilerError": "errors",
    "Profile": "profiling",
    "Program": "program",
    "RegionError": "errors",
    "Run": "execution",
    "TraceError": "errors",
    "TraceFileError": "files",
    "compile_program": "compilation",
    "profile": "profiling",
    "read_trace": "files",
    "run": "execution",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'logca.trace' has no attribute '{name}'")
    found = getattr(import_module(f"logca.trace.{_HOMES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
