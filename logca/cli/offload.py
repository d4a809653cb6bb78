"""`logca offload`: from C source to the decision whether to offload, and from which size on."""

import sys
from functools import partial
from pathlib import Path
from shlex import join
from typing import Annotated, Any, Literal

import typer

from logca.cli.options.completion import complete_gpus
from logca.cli.options.programs import (
    Option,
    limits,
    macros,
    note_unused,
    read_input,
    running,
)
from logca.cli.options.ranges import listed
from logca.cli.terminal.errors import UsageFailure
from logca.cli.terminal.files import OutputOption, check_writable, write, write_telling
from logca.cli.terminal.output import show_answer, show_json, show_tables
from logca.gpu.devices import DEFAULT_DEVICE

__all__ = ["offload"]

_LANGUAGES = {
    ".h": "c",
    ".hpp": "cpp",
    ".cuh": "cuda",
    ".rs": "rust",
    ".js": "javascript",
    ".py": "python",
}
_PICTURES = (".svg", ".png", ".pdf")
_option = partial(typer.Option, rich_help_panel="Accelerator")


def offload(
    sources: Annotated[list[Path], Option.files],
    size: Annotated[
        str | None,
        typer.Option(
            help="The macro that holds the size, or arg1 for the first argument of the program, "
            "and from which value to which; multiples of 16 alone as N=16:512:16, powers of 2 as "
            "N=16:512:x2.",
            metavar="NAME=FROM:TO",
            show_default="as the source proposes",
        ),
    ] = None,
    function: Option.function = None,
    check: Annotated[
        bool,
        typer.Option(
            "--check",
            help="Check on this machine instead, whose other cores are the accelerator: predicted "
            "and measured break-even. Takes a compiler that knows OpenMP.",
        ),
    ] = False,
    as_json: OutputOption.as_json = False,
    output: Annotated[Path | None, OutputOption.to(".html", what="Report as one HTML file")] = None,
    picture: Annotated[
        Path | None, OutputOption.to(*_PICTURES, what="Picture to write", name="--picture")
    ] = None,
    width: OutputOption.width = "page",
    save: Annotated[
        Path | None,
        typer.Option(
            help="File for the fit, for `logca decide`, `codegen`, `explain` and `plot`.",
            metavar="FILE.json",
            show_default=False,
        ),
    ] = None,
    emit: Annotated[
        Path | None,
        typer.Option(
            help="File for code with should_offload(N), in the language of its name: .h, .hpp, "
            ".cuh, .rs, .js or .py.",
            metavar="FILE",
            show_default=False,
        ),
    ] = None,
    force: OutputOption.force = False,
    device: Annotated[
        list[str] | None,
        _option(
            help="A GPU, a TOML file that describes one, or another accelerator by its numbers, "
            "such as A=20,o=5us; may be repeated to compare others with the first.",
            metavar="NAME|FILE.toml",
            autocompletion=complete_gpus,
            show_default=DEFAULT_DEVICE,
        ),
    ] = None,
    link: Annotated[
        str | None,
        _option(
            help="Link between host and accelerator: pcie3, pcie4, pcie5, nvlink-c2c, integrated, "
            "its numbers such as 20GB/s,5us, or a TOML file.",
            metavar="NAME",
            show_default="that of the device",
        ),
    ] = None,
    pageable: Annotated[
        bool, _option("--pageable", help="Copy memory that is not page-locked.")
    ] = False,
    resident: Annotated[
        str | None,
        _option(
            help="Arrays that are on the accelerator before and after.",
            metavar="A,B",
            show_default="none",
        ),
    ] = None,
    advise: Annotated[
        bool,
        _option(
            "--advise",
            help="Name the bottleneck, and predict what the usual remedies would gain; here at the "
            "largest size.",
        ),
    ] = False,
    host: Annotated[
        str | None,
        _option(
            help="The host to compare with: cores for all cores of this machine, or another one by "
            "numbers: its cores, how many times as fast each is, GFLOP/s of one at most.",
            metavar="cores|cores=16,speed=1.5,peak=90",
            show_default="one core of this machine",
        ),
    ] = None,
    accelerator: Annotated[
        Literal["reconfigurable"] | None,
        _option(
            help="Partition the program for a reconfigurable accelerator beside the caches, too.",
            show_default=False,
        ),
    ] = None,
    from_specs: Annotated[
        bool,
        _option(
            "--from-specs",
            help="Add what LogCA says with A as the ratio of peak rates (altaf2017, section 4).",
        ),
    ] = False,
    defines: Option.defines = None,
    includes: Option.includes = None,
    flags: Option.flags = None,
    arguments: Option.arguments = None,
    stdin: Option.stdin = None,
    time_limit: Option.time_limit = None,
    memory_limit: Option.memory_limit = None,
) -> None:
    """Tell from C source whether offloading its loops pays, from which size on, and what helps.

    The loops are those that `logca gpu` takes. On the host they are compiled for this machine, as
    by `clang -O3 -march=native`, and timed in their program, on one core. On the GPU they are
    predicted; what must be copied follows from the trace. Both are done for values of the macro
    that holds the size.

    **Examples**

        logca offload gemm.c

        logca offload gemm.c --size N=64:2048 --device h100-sxm --link pcie5

        logca offload atax.c --resident A            A stays on the GPU between calls

        logca offload gemm.c --device h100-sxm --device rtx-4090 --device A=20,o=5us

        logca offload syrk.c --advise                what tiles, layouts, blocks would gain

        logca offload gemm.c --host cores            all cores of this machine as the host

        logca offload gemm.c --accelerator reconfigurable

        logca offload gemm.c --emit offload.h        should_offload(N), to ship

        logca offload gemm.c --save gemm.json -o gemm.html --picture gemm.svg

        logca offload gemm.c --check                 against the other cores of this machine

    **Exit codes**: 0 done, 2 bad input, such as an error of the compiler or a program that crashes
    or meets a limit, 5 no compiler.
    """
    if check:
        for option, value in {
            "--device": device,
            "--link": link,
            "--pageable": pageable,
            "--resident": resident,
            "--advise": advise,
            "--host": host,
            "--accelerator": accelerator,
            "--from-specs": from_specs,
            "--save": save,
            "--emit": emit,
            "--output": output,
            "--picture": picture,
        }.items():
            if value:
                raise UsageFailure(f"--check takes this machine's cores: leave {option} out")
    for drawn, endings in ((output, (".html",)), (picture, _PICTURES)):
        if drawn is not None:
            from logca.common.extras import require

            check_writable(drawn, endings, force=force)
            require("matplotlib", "plot")
    if save is not None:
        check_writable(save, (".json",), force=force)
    if emit is not None:
        check_writable(emit, tuple(_LANGUAGES), force=force)
    names = () if resident is None else tuple(listed(resident))
    given, allowed = macros(defines or []), limits(time_limit, memory_limit, None)
    note_unused(defines or [], sources, includes or [])
    from logca.offloading.check import check as checked
    from logca.offloading.offload import offload as offloaded
    from logca.show.offload.check import check_answer, check_data, check_tables
    from logca.show.offload.data import offload_data
    from logca.show.offload.tables import offload_tables
    from logca.show.offload.words import offload_answer

    with running() as tell:
        program: dict[str, Any] = {
            "source": [str(path) for path in sources],
            "function": function,
            "size": size,
            "defines": given,
            "args": arguments or [],
            "stdin": read_input(stdin),
            "includes": includes or [],
            "flags": flags or [],
            "limits": allowed,
            "progress": lambda step: tell(step, 0) if tell else None,
        }
        if check:
            told = checked(**program)
        else:
            found = offloaded(
                **program,
                device=(device or [DEFAULT_DEVICE])[0],
                others=(device or [])[1:],
                link=link,
                pageable=pageable,
                resident=names,
                advise=advise,
                host=host,
                accelerator=accelerator,
                from_specs=from_specs,
            )
    if check:
        if as_json:
            show_json(check_data(told))
            return
        show_answer(check_answer(told))
        show_tables(check_tables(told))
        return
    if save is not None:
        if found.fitted is None:
            raise UsageFailure(f"--save {save}: {_why_not_fitted(found.notes)}")
        found.fitted.save(save, force=force)
    if emit is not None:
        from logca.show.offload.emitted import should_offload_source

        language, command = _LANGUAGES[emit.suffix.lower()], join(["logca", *sys.argv[1:]])
        write(emit, should_offload_source(found, language, command).encode(), force=force)
    if picture is not None:
        from logca.plots.offload import OffloadPicture
        from logca.plots.render import picture as rendered

        image = rendered(
            OffloadPicture(title="Both paths", found=found), picture.suffix.lower(), width=width
        )
        write_telling(picture, image, force=force)
    if output is not None:
        from logca.report.offload import offload_report_html

        write_telling(output, offload_report_html(found).encode(errors="replace"), force=force)
    if as_json:
        show_json(offload_data(found))
        return
    show_answer(offload_answer(found))
    show_tables(offload_tables(found))


def _why_not_fitted(notes: tuple[str, ...]) -> str:
    return next((note for note in notes if note.startswith("no parameters")), "nothing is fitted")
