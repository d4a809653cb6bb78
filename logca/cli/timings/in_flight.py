"""`logca measure --in-flight`: paths that are asked again before they have answered."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from logca.cli.terminal.errors import INTERRUPTED, UsageFailure
from logca.cli.terminal.output import say, show_answer, show_json, show_tables
from logca.common.readable_numbers import whole_number_from

if TYPE_CHECKING:
    from logca.numeric.measure.experiment import Experiment
    from logca.numeric.measure.measure import Measured
    from logca.numeric.measure.run import Progress

__all__ = ["kept_in", "measured_in_flight", "numbers_of", "show_in_flight"]


def numbers_of(text: str) -> tuple[int, ...]:
    """Requests in flight of an option such as 1,2,8; one at a time is always among them."""
    from logca.numeric.measure.in_flight import MOST, numbers_in_flight

    given = [whole_number_from(each.strip()) or 0 for each in text.split(",")]
    if not all(1 <= each <= MOST for each in given):
        raise UsageFailure(
            f"--in-flight {text:.80}: write whole numbers from 1 to {MOST}, such as 1,2,8"
        )
    return numbers_in_flight(given)


def measured_in_flight(
    open_one: Callable[[], "Experiment"],
    telling: Callable[[], AbstractContextManager["Progress"]],
    output: Path,
    numbers: tuple[int, ...],
    **how: Any,
) -> "dict[int, Measured]":
    """Measurements by the number of requests in flight."""
    from logca.numeric.measure.in_flight import measure_in_flight

    try:
        with telling() as tell:
            return measure_in_flight(open_one, output, numbers=numbers, tell=tell, **how)
    except KeyboardInterrupt:
        say(f"interrupted: {kept_in(output)}", err=True)
        raise typer.Exit(INTERRUPTED) from None


def kept_in(output: Path) -> str:
    """A clause on what is left of a measurement that was interrupted."""
    if not output.exists():
        return "nothing was measured yet"
    return f"what is measured is kept in {output}, and the same command resumes"


def show_in_flight(found: "dict[int, Measured]", output: Path, as_json: bool) -> None:
    """Show what was measured, for each number of requests in flight."""
    from logca.numeric.timings.crossing import crossing_of
    from logca.numeric.timings.sample_file import notes_of
    from logca.show.measure import in_flight_answer, in_flight_data, in_flight_table

    crossings = {number: crossing_of(each.rows) for number, each in found.items()}
    if as_json:
        show_json(in_flight_data(found, crossings))
        return
    show_answer(in_flight_answer(found, crossings))
    show_tables([in_flight_table(found)])
    for note in dict.fromkeys(note for each in found.values() for note in notes_of(each.recorded)):
        say(f"note: {note}", err=True)
    times = sum(len(each.recorded.samples) for each in found.values())
    say(f"{output}: {times:,} times; next: logca fit {output}", err=True)
