"""Timings from a file of samples that `logca measure` has written."""

from dataclasses import replace

from logca.numeric.fitting.pairing import Reading, assembled
from logca.numeric.fitting.samples import Sample
from logca.numeric.fitting.timings import TimingsError
from logca.numeric.measuring.lines import RecordedError, parsed
from logca.numeric.measuring.machine import machine_line
from logca.numeric.measuring.notes import notes_of, sizes_of_both

__all__ = ["measured_timings"]


def measured_timings(text: str, file: str) -> Reading:
    """Timings of a file of samples; what failed or was left out is noted.

    Parameters
    ----------
    text : str
        Contents of the file; a last line that is not complete does not count [text].
    file : str
        Its name, for messages [text].

    Raises
    ------
    TimingsError
        If a line is no sample, or there are too few sizes.
    """
    try:
        found = parsed(text, file)
    except RecordedError as error:
        raise TimingsError(str(error)) from None
    both, notes = sizes_of_both(found), notes_of(found)
    samples = [
        Sample(
            name=each.path,
            granularity=float(each.size),
            seconds=(each.seconds,),
            where=f"round {each.round}",
        )
        for each in sorted(found.samples, key=lambda each: each.size)
        if each.size in both
    ]
    if not samples:
        raise TimingsError(f"{file}: no size has times of both paths; {'; '.join(notes[-3:])}")
    reading = assembled(samples, notes, host="host", accelerated="accelerated", file=file)
    least = min(found.header.resolution / each.calls for each in found.samples)
    return replace(
        reading,
        timings=replace(reading.timings, resolution=least),
        provenance={
            "experiment": found.header.title,
            "machine": machine_line(found.header.machine),
            "measured": found.header.begun,
        },
    )
