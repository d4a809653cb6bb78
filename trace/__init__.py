"""C programs, run and watched: control flow, counts of blocks and edges, and every memory access.

Folders, lowest first: ir, source, compile, instrument, execute, profiling. Everything is loaded
when it is first used.

Examples
--------
>>> from logca import trace
>>> trace.Limits(time_s=10).time_s
10
"""

from typing import TYPE_CHECKING

from logca.common.extras import attach

if TYPE_CHECKING:
    from logca.common.errors import CompileError, RegionError, TraceError
    from logca.common.extras import MissingCompilerError
    from logca.common.limits import Limits
    from logca.trace.compile.driver import Compiled, compile_program
    from logca.trace.execute.decoding import Chunk
    from logca.trace.execute.run import Run, run
    from logca.trace.ir.program import Program
    from logca.trace.profiling.profile import profile
    from logca.trace.profiling.report import Profile
    from logca.trace.profiling.trace_files import TraceFileError, read_trace

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
    "Chunk": "logca.trace.execute.decoding",
    "CompileError": "logca.common.errors",
    "Compiled": "logca.trace.compile.driver",
    "Limits": "logca.common.limits",
    "MissingCompilerError": "logca.common.extras",
    "Profile": "logca.trace.profiling.report",
    "Program": "logca.trace.ir.program",
    "RegionError": "logca.common.errors",
    "Run": "logca.trace.execute.run",
    "TraceError": "logca.common.errors",
    "TraceFileError": "logca.trace.profiling.trace_files",
    "compile_program": "logca.trace.compile.driver",
    "profile": "logca.trace.profiling.profile",
    "read_trace": "logca.trace.profiling.trace_files",
    "run": "logca.trace.execute.run",
}

__getattr__, __dir__ = attach(__name__, _HOMES)
