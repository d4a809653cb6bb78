"""Formats of an output, chosen by the ending of its name.

Each writes blocks of its own. xarray could make NetCDF and Parquet of a Zarr folder, but only once
all is computed: every value would be written twice, with both outputs on the disk at the end, and
a killed process would begin the second pass again.
"""

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast

from logca.common.extras import require
from logca.numeric.sweep.blocks import SweepError
from logca.numeric.sweep.dataset import Values
from logca.numeric.sweep.plan import Sweep

if TYPE_CHECKING:
    import xarray as xr

__all__ = ["CSV", "SUFFIXES", "OutputFormat", "OutputRecord", "Write", "format_of"]

_MODULES = {
    ".zarr": ("zarr_folder", ("zarr",)),
    ".nc": ("netcdf_file", ("h5netcdf", "h5py")),
    ".parquet": ("parquet_folder", ("pyarrow", "dask.array")),
}

CSV = ".csv"
"""Ending of a file for other programs, which no sweep reads or resumes."""

SUFFIXES = tuple(_MODULES)
"""Endings of the names of outputs."""

Write = Callable[[int, Values], None]
"""Writes the values of the block with a number; afterwards a killed process loses nothing of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputRecord:
    """Record in an output of the sweep that wrote it."""

    identity: dict[str, Any]  # which sweep it was, see `Sweep.identity`
    complete: bool  # whether all blocks were written [1]
    lacks: str = ""  # the first part that is missing or damaged since then; empty if none is


class OutputFormat(Protocol):
    """Interface of a format's module."""

    PARALLEL: bool
    """True if several threads may write blocks at the same time [1]."""

    REPEATS_QUANTITIES: bool
    """True if a block has all quantities, also those that other blocks have already [1]."""

    def create(self, path: Path, sweep: Sweep) -> None:
        """A new output, with everything but the values of the quantities."""
        ...

    def restore(self, path: Path, sweep: Sweep) -> None:
        """Everything but the values of the quantities again, where some of it has gone."""
        ...

    def writing(self, path: Path, sweep: Sweep) -> AbstractContextManager[Write]:
        """Open an output to write blocks."""
        ...

    def written(self, path: Path, sweep: Sweep, claimed: Iterable[int]) -> frozenset[int]:
        """Those of the blocks with these numbers that are in the output."""
        ...

    def finish(self, path: Path) -> None:
        """Say in the output that all blocks are there."""
        ...

    def recorded(self, path: Path) -> OutputRecord | None:
        """Record of a sweep in an output; None if the output is not one of a sweep."""
        ...

    def others(self, path: Path) -> list[str]:
        """Names of what is in the folder and no part of it."""
        ...

    def load(self, path: Path) -> "xr.Dataset":
        """The output as a data set whose values are read when they are needed."""
        ...


def format_of(path: Path) -> OutputFormat:
    """The format of an output."""
    if path.suffix == CSV:
        raise SweepError(
            f"{path} is for other programs; a sweep is read from {', '.join(_MODULES)}"
        )
    if path.suffix not in _MODULES:
        raise SweepError(f"{path} must end in {', '.join((*_MODULES, CSV))}, as files of sweeps do")
    # to open a pipe is to wait for who writes to it
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise SweepError(f"{path} is a pipe or a device; name a file or a folder")
    module, libraries = _MODULES[path.suffix]
    for library in libraries:
        require(library, "sweep")
    return cast(OutputFormat, import_module(f"logca.numeric.sweep.{module}"))
