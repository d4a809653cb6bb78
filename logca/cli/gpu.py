"""`logca gpu`: the time of a C program's loops on a GPU."""

import re
from collections.abc import Sequence
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from logca.cli.options.completion import complete_gpu_models, complete_gpus
from logca.cli.options.programs import (
    Option,
    limits,
    macros,
    note_unused,
    read_input,
    running,
)
from logca.cli.options.ranges import pairs
from logca.cli.terminal.errors import UsageFailure
from logca.cli.terminal.files import OutputOption, check_writable, write_telling
from logca.cli.terminal.output import show_answer, show_json, show_tables
from logca.gpu.devices import DEFAULT_DEVICE

if TYPE_CHECKING:
    from logca.gpu.advice.results import Advice
    from logca.gpu.devices.ranking import RankedDevice
    from logca.gpu.prediction.result import Prediction
    from logca.gpu.stages import Rows
    from logca.gpu.stages.blocks_and_occupancy import Block

__all__ = ["gpu"]

_option = partial(typer.Option, rich_help_panel="Device and model")
_WORK = re.compile(r"\s*([A-Za-z_]\w*)\s*=\s*(\d{1,18})\s*", re.ASCII)
_SHAPE = re.compile(r"0*[1-9]\d{0,8}(x0*[1-9]\d{0,8}){0,2}", re.ASCII | re.IGNORECASE)

_CALIBRATE = Path("calibrate")
"""The word that stands in place of a C file to measure a GPU of one's own."""

GpuStage = StrEnum(
    "GpuStage",
    "threads trace warps accesses cache shared instructions latency occupancy timing counts bounds "
    "dependences device",
)
"""Stages of a prediction that can be printed."""

_OF_UNITS = ("counts", "bounds")
"""Those of model bounds alone."""

_OF_WARPS = ("trace", "warps", "cache", "instructions", "latency", "timing")
"""Those of the models of wang2017 alone."""


def gpu(
    sources: Annotated[
        list[Path] | None,
        Option.files,
    ] = None,
    function: Option.function = None,
    work: Annotated[
        list[str] | None,
        typer.Option(
            help="Predict for this value of a macro that holds a size, and trace the one it has.",
            metavar="NAME=VALUE",
            show_default="by `#pragma logca work(NAME=VALUE)`, else as traced",
        ),
    ] = None,
    stage: Annotated[list[GpuStage] | None, Option.stage] = None,
    advise: Annotated[
        bool,
        typer.Option(
            "--advise", help="Name the bottleneck, and predict what the usual remedies would gain."
        ),
    ] = False,
    against: Annotated[
        list[str] | None,
        typer.Option(
            help="Rank the GPU with another device, whose time is known; may be repeated.",
            metavar="NAME=TIME",
        ),
    ] = None,
    list_devices: Annotated[
        bool,
        typer.Option("--list-devices", help="List the GPUs that --device can name, and no more."),
    ] = False,
    as_json: OutputOption.as_json = False,
    output: Annotated[
        Path | None, OutputOption.to(".cu", ".toml", what="File that calibrate writes")
    ] = None,
    force: OutputOption.force = False,
    device: Annotated[
        str,
        _option(
            help="A GPU, or a TOML file that describes one.",
            metavar="NAME|FILE.toml",
            autocompletion=complete_gpus,
        ),
    ] = DEFAULT_DEVICE,
    model: Annotated[
        str | None,
        _option(
            help="Model to predict with: bounds, for current GPUs, each unit at its own rate; "
            "paper, CGPredict as printed; baseline, with its simple cache; logca, CGPredict "
            "mended.",
            metavar="NAME",
            show_default="bounds; paper on jetson-tk1",
            autocompletion=complete_gpu_models,
        ),
    ] = None,
    block: Annotated[
        str | None,
        _option(
            help="Threads of a block along x, y, z, or fullest: those that fill the device best.",
            metavar="32x32|fullest",
            show_default="256, 32x32 or 32x8x4",
        ),
    ] = None,
    grid: Annotated[
        str | None,
        _option(
            help="Blocks along x, y, z; blocks are then as large as that needs.",
            metavar="4x4",
            show_default=False,
        ),
    ] = None,
    defines: Option.defines = None,
    includes: Option.includes = None,
    flags: Option.flags = None,
    arguments: Option.arguments = None,
    stdin: Option.stdin = None,
    time_limit: Option.time_limit = None,
    memory_limit: Option.memory_limit = None,
    record_limit: Option.record_limit = None,
) -> None:
    """Predict how long the loops of a C program take on a GPU, from its source alone.

    The program is compiled and run as it is on the CPU; its memory accesses are recorded and
    arranged as the threads and warps of a GPU would make them. No GPU and no CUDA are needed. Loops
    after `#pragma logca offload [collapse(n)]`, or a directive of OpenMP (`parallel for`, `target
    teams ...`) or OpenACC (`parallel loop`), become threads; without a directive, the outermost
    loops of the hottest nest whose iterations do not depend on each other.

    **Examples**

        logca gpu gemm.c

        logca gpu gemm.c -D N=128 --work N=1024      traced small, predicted large

        logca gpu main.c kernel.c -I include --function kernel --block 16x16

        logca gpu gemm.c --device h100-sxm           another GPU; --device my.toml for your own

        logca gpu gemm.c --device jetson-tk1         the CGPredict paper's, by its model

        logca gpu --list-devices                     GPUs that --device can name

        logca gpu calibrate -o calibrate.cu          benchmarks for a GPU of your own

        logca gpu calibrate my-gpu.txt -o my-gpu.toml    its device file, from their output

        logca gpu gemm.c --stage latency --stage timing

        logca gpu syrk.c --advise                    its bottleneck, and what would help

        logca gpu gemm.c --against "ZC702=636.47ms"  which device to choose

    **Stages** (--stage): threads, trace, warps, accesses, cache, shared, instructions, latency,
    occupancy, timing, dependences; counts and bounds, of model bounds; device, which needs no
    program.

    **Exit codes**: 0 done, 2 bad input, such as an error of the compiler or a program that crashes
    or meets a limit, 5 no compiler.
    """
    if list_devices:
        _show_devices(as_json)
        return
    if sources and sources[0] == _CALIBRATE:
        _calibrate(sources[1:], output, force=force, as_json=as_json)
        return
    if output is not None:
        raise UsageFailure(f"-o {output} goes with `logca gpu calibrate`; predictions have --json")
    stages = stage or []
    if against and stages:
        raise UsageFailure("--against ranks whole predictions; leave out --stage")
    if advise and stages:
        raise UsageFailure("--advise tries remedies of whole kernels; leave out --stage")
    rows = _device_rows(device) if GpuStage.device in stages else ()
    if stages and {*stages} == {GpuStage.device}:
        _show_stages(None, rows, stages, as_json)
        return
    if not sources:
        raise UsageFailure("name a C file; `logca gpu --help` has examples")
    others, sizes = _times(against or []), _sizes(work or [])
    threads: Block | None = "fullest" if block == "fullest" else _shape("--block", block)
    blocks = _shape("--grid", grid)
    given, allowed = macros(defines or []), limits(time_limit, memory_limit, record_limit)
    note_unused(defines or [], sources, includes or [], sizes)
    from logca.gpu.advice.advise import advise as advised
    from logca.gpu.prediction.predict import predict

    with running() as tell:
        said = (advised if advise else predict)(
            [str(path) for path in sources],
            function,
            device=device,
            model=model,
            grid=blocks,
            block=threads,
            defines=given,
            args=arguments or [],
            stdin=read_input(stdin),
            work=sizes or None,
            includes=includes or [],
            flags=flags or [],
            limits=allowed,
            progress=lambda step: tell(step, 0) if tell else None,
        )
    if stages:
        _show_stages(_prediction(said), rows, stages, as_json)
    else:
        _show(said, others, as_json)


def _show_devices(as_json: bool) -> None:
    from logca.gpu.devices.parameters import device, devices
    from logca.show.gpu.devices import gpu_row, gpu_table, gpus_answer

    gpus = [device(name) for name in devices()]
    if as_json:
        show_json({"answer": gpus_answer(gpus), "gpus": [gpu_row(gpu) for gpu in gpus]})
        return
    show_answer(gpus_answer(gpus))
    show_tables([gpu_table(gpus)])


def _calibrate(results: Sequence[Path], output: Path | None, *, force: bool, as_json: bool) -> None:
    """Print or write the micro-benchmarks, or the device file that follows from their output."""
    from logca.common.toml import text_of
    from logca.gpu.devices.calibrate import benchmarks, device_file

    if len(results) > 1:
        raise UsageFailure(
            f"calibrate reads one file, not {len(results)}: {' '.join(map(str, results))}"
        )
    suffix = ".toml" if results else ".cu"
    if output is not None:
        check_writable(output, (suffix,), force=force)
    if results:
        file = str(results[0])
        name = output.stem if output is not None else results[0].stem
        text, gpu = device_file(text_of(file, not_text="not UTF-8 text"), file, name=name)
        answer = f"{gpu.title}: {gpu.bandwidth / 1e9:.0f} GB/s, {gpu.multiprocessors} "
        answer += (
            f"multiprocessors at {gpu.frequency / 1e6:.0f} MHz, architecture {gpu.architecture}."
        )
    else:
        text = benchmarks()
        answer = "Six micro-benchmarks in CUDA C; build them with nvcc, and keep what they print."
    if output is not None:
        write_telling(output, text.encode(), force=force)
    if as_json:
        show_json({"answer": answer, "text": text})
    elif output is not None:
        show_answer(answer)
    else:
        typer.echo(text, nl=False)


def _device_rows(device: str) -> "Rows":
    from logca.gpu.devices.parameters import device as device_named

    return device_named(device).rows()


def _times(against: Sequence[str]) -> dict[str, float]:
    """Names of devices, and the times on them [s]."""
    from logca.gpu.devices.ranking import parse_time

    form = "NAME=TIME, such as ZC702=636.47ms"
    times = pairs("--against", against, form, last=True, once=True)
    return {name: parse_time(time) for name, time in times.items()}


def _sizes(work: Sequence[str]) -> dict[str, int]:
    """Macros and their values at the work size [1]."""
    form = "NAME=VALUE with a whole number from 1 to 10^18, such as N=1024"
    for text in work:
        match = _WORK.fullmatch(text)
        if not match or not int(match[2]):
            raise UsageFailure(f"--work {text!r}: write {form}")
    return {name: int(size) for name, size in pairs("--work", work, form, once=True).items()}


def _shape(option: str, text: str | None) -> tuple[int, ...] | None:
    """Numbers along x, y and z [1]."""
    if text is None:
        return None
    if not _SHAPE.fullmatch(text):
        raise UsageFailure(
            f"{option} {text!r}: write one to three whole numbers from 1, along x, y and z, "
            f"such as 32x32"
        )
    return tuple(int(number) for number in text.lower().split("x"))


def _prediction(said: "Prediction | Advice") -> "Prediction":
    from logca.gpu.advice.results import Advice

    return said.prediction if isinstance(said, Advice) else said


def _show(said: "Prediction | Advice", others: dict[str, float], as_json: bool) -> None:
    from logca.gpu.devices.ranking import ranked

    found = _prediction(said)
    advice = None if said is found else cast("Advice", said)
    ranking: tuple[RankedDevice, ...] = ()
    if others:
        if found.device in others:
            raise UsageFailure(f"--against names {found.device}, whose time is predicted")
        ranking = ranked({found.device: found.time_s, **others})
    if as_json:
        from logca.show.gpu.data import prediction_data

        data = prediction_data(found, ranking)
        if advice is not None:
            from logca.show.gpu.advice import advice_data

            data["advice"] = advice_data(advice)
        show_json(data)
        return
    from logca.show.gpu.tables import choice_table, prediction_tables
    from logca.show.gpu.words import headline

    tables = [*prediction_tables(found), *((choice_table(ranking),) if ranking else ())]
    if advice is not None:
        from logca.show.gpu.advice import advice_tables

        tables += advice_tables(advice)
    show_answer(headline(found))
    show_tables(tables)


def _show_stages(
    found: "Prediction | None", device: "Rows", stages: Sequence[str], as_json: bool
) -> None:
    from logca.show.gpu.stages import stage_data, stage_tables

    if found is not None:
        others = _OF_UNITS if found.longest.bounds is None else _OF_WARPS
        for stage in stages:
            if stage in others:
                known = ", ".join(each for each in GpuStage if each not in others)
                raise UsageFailure(
                    f"--stage {stage} is no stage of model {found.model}, which has {known}"
                )
    if as_json:
        show_json(stage_data(found, device, stages))
        return
    show_tables(stage_tables(found, device, stages))
