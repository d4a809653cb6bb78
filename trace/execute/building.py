"""An instrumented program is built: object files, the executable, and line tables if it fails.

Of a large program line tables are half of the work, and only a fault asks for them: then the same
code is made once more, with them.
"""

from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from logca.trace.compile.driver import Compiled, all_kept, give_back
from logca.trace.compile.halves import first_half
from logca.trace.compile.machine_code import QUICK, USUAL, emit, is_large, link
from logca.trace.instrument.faults import Image, image
from logca.trace.instrument.plan import RecordingPlan
from logca.trace.instrument.rewriting import instrumented_parts

__all__ = ["RUNTIME", "executable_of", "image_of", "objects_of"]

RUNTIME = Path(__file__).with_name("runtime.c")


def objects_of(
    compiled: Compiled,
    records: RecordingPlan | None,
    folder: Path,
    pool: ThreadPoolExecutor,
    *,
    counts: bool,
    places: bool = False,
) -> list[Future[Path]]:
    """Object files of an instrumented program, which the threads of a pool are about to write.

    They have line tables if the program is not large, or if `places` in its source are asked for.
    """
    large = is_large(compiled.ir)
    with all_kept():
        texts = instrumented_parts(
            compiled.program,
            compiled.ir,
            plan=records,
            counts=counts,
            compact=large,
            places=places or not large,
            first=first_half(compiled.ir) if large else (),
        )
        # another process makes code of the first half while the second one is written
        objects = [
            pool.submit(emit, text, folder / f"program{number}.o", level=QUICK if large else USUAL)
            for number, text in enumerate(texts)
        ]
        del texts
    give_back()
    return objects


def executable_of(objects: Iterable[Future[Path]], folder: Path, compiled: Compiled) -> Path:
    """The executable of a program's object files."""
    files = [RUNTIME, *(each.result() for each in objects)]
    return link(files, folder, compiled.toolchain, compiled.link_flags)


def image_of(
    compiled: Compiled, records: RecordingPlan | None, executable: Path, *, counts: bool
) -> Image:
    """The image of a program's executable, with line tables."""
    plain = image(executable)
    if not is_large(compiled.ir):
        return plain
    with TemporaryDirectory(dir=executable.parent) as folder, ThreadPoolExecutor(2) as pool:
        objects = objects_of(compiled, records, Path(folder), pool, counts=counts, places=True)
        twin = image(executable_of(objects, Path(folder), compiled))
    # LLVM promises that debug data change no code; if they did, places would be wrong
    return twin if (twin.code, twin.base) == (plain.code, plain.base) else plain
