"""Why a program ended, and where it was."""

import signal
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from logca.common.limits import Limits
from logca.trace.execute.process import ProcessEnd
from logca.trace.instrument.line_table import image
from logca.trace.instrument.ring_buffer import RETURNS, StateWord
from logca.trace.ir.program import Program

__all__ = ["ending", "last_place", "signal_name"]

NEAR_STACK = 1 << 20
MEANING = {
    "SIGSEGV": "an access to memory that it does not have (SIGSEGV)",
    "SIGBUS": "an access to memory that is not there (SIGBUS)",
    "SIGFPE": "a division by zero or another arithmetical error (SIGFPE)",
    "SIGILL": "an illegal instruction (SIGILL)",
    "SIGTRAP": "a trap (SIGTRAP)",
    "SIGKILL": "SIGKILL, as by a system that runs out of memory",
    "SIGABRT": "abort() (SIGABRT), as by a failed assertion",
}


def last_place(program: Program, state: NDArray[np.uint64], executable: Path) -> str:
    """File and line where a signal met the program, or where it called what was met."""
    if not state[StateWord.PC]:
        return ""
    code = image(executable)
    known = {str(Path(file).resolve()): file for file in program.files}
    returns = [int(word) for word in state[RETURNS : 2 * RETURNS] if code.after_call(int(word))]
    threads = int(state[StateWord.THREADS])
    for address in [int(state[StateWord.PC]) - threads, *(word - 1 for word in returns)]:
        place = code.place(address)
        if place and (file := known.get(str(Path(place[0]).resolve()))):
            return f"{file}:{place[1]}"
    return ""


def ending(
    ended: ProcessEnd, state: NDArray[np.uint64], limits: Limits, place: str
) -> tuple[str, str]:
    """Why a program ended, in a word and in a sentence."""
    where = f" at {place}" if place else ""
    name = signal_name(ended.code)
    still = f"; it was{where}" if where else ""
    memory = f"{limits.memory_B / 2**20:.4g} MiB of memory"
    if state[StateWord.THREADS]:
        return (
            "threads",
            f"the program starts a thread{where}: a trace has one order, of one thread",
        )
    if ended.reason == "time" or name == "SIGXCPU":
        return (
            "time",
            f"the program did not end within {limits.time_s:g} s{still}",
        )
    if ended.reason == "output":
        return "output", f"the program wrote more than {limits.output_B} bytes of output"
    if ended.reason == "enough":
        return "enough", ""
    if state[StateWord.TOO_LARGE] or not state[StateWord.READY]:
        return "memory", f"the program does not start with {memory}"
    if state[StateWord.REFUSED] and ended.code:
        return "memory", f"the program was refused more than {memory}, and failed{where}"
    if name == "SIGXFSZ":
        return "file", f"the program wrote a file of more than {limits.file_B} bytes{where}"
    if name == "SIGSEGV" and hit_stack_guard(state):
        size = int(state[StateWord.STACK_LIMIT]) / 2**20
        return "stack", f"the stack of {size:.4g} MiB is full{where}: recursion without an end?"
    if name:
        return "crash", f"the program was ended{where} by {MEANING.get(name, name)}"
    return "exit", ""


def signal_name(code: int) -> str:
    """Name of the signal that ended a process, if one did.

    Examples
    --------
    >>> signal_name(-11), signal_name(-37), signal_name(3)
    ('SIGSEGV', 'SIGRTMIN+3', '')
    """
    if code >= 0:
        return ""
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"SIGRTMIN+{-code - signal.SIGRTMIN}"


def hit_stack_guard(state: NDArray[np.uint64]) -> bool:
    """Whether an access was made below the lowest address that the stack may grow to."""
    address, pointer, top, size = (
        int(state[word])
        for word in (
            StateWord.ADDRESS,
            StateWord.STACK_POINTER,
            StateWord.STACK_TOP,
            StateWord.STACK_LIMIT,
        )
    )
    return pointer - NEAR_STACK <= address <= top - size + NEAR_STACK
