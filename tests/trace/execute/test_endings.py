"""Programs that fail are reported: how, and at which line."""

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from logca.common.limits import Limits
from logca.trace.compile.driver import Compiled, compile_program
from logca.trace.execute.decoding import Chunk
from logca.trace.execute.process import CHUNKS
from logca.trace.execute.run import Run, run

Compile = Callable[..., Compiled]
SOURCE = Path(__file__).with_name("programs") / "faults.c"
LINES = SOURCE.read_text(encoding="utf-8").splitlines()
LIMITS = Limits(time_s=1.0, memory_B=1 << 30, output_B=1 << 18, file_B=1 << 20)


@pytest.fixture(scope="module")
def faults() -> Compiled:
    return compile_program(SOURCE)


def failing(
    compiled: Compiled,
    way: str,
    *,
    nests: tuple[int, ...] | None = None,
    on_chunk: Callable[[Chunk], None] | None = None,
) -> Run:
    return run(compiled, arguments=[way], limits=LIMITS, nests=nests, on_chunk=on_chunk)


@pytest.mark.parametrize(
    ("way", "ending", "signal", "line", "words"),
    [
        ("s", "crash", "SIGSEGV", "null", "memory that it does not have"),
        ("a", "crash", "SIGABRT", "assert", "failed assertion"),
        ("z", "crash", "SIGFPE", "division", "division by zero"),
        ("l", "crash", "SIGSEGV", "library", "memory that it does not have"),
        ("d", "stack", "SIGSEGV", "room", "recursion without an end"),
        ("m", "memory", "SIGSEGV", "refused", "refused more than 1 GiB"),
        ("o", "output", "SIGTERM", "prints", "more than 262144 bytes of output"),
        ("f", "file", "SIGXFSZ", "writes", "file of more than 1048576 bytes"),
        ("t", "threads", "SIGKILL", "thread", "starts a thread"),
        ("e", "time", "SIGTERM", "endless", "did not end within 1 s"),
        ("w", "time", "SIGTERM", "waits", "did not end within 1 s"),
    ],
)
def test_what_went_wrong_and_where(
    faults: Compiled, way: str, ending: str, signal: str, line: str, words: str
) -> None:
    result = failing(faults, way, nests=() if way in "ew" else None)
    assert (result.ending, result.signal) == (ending, signal)
    assert result.status > 128
    assert words in result.message
    file, _, number = result.last_line.rpartition(":")
    assert file == str(SOURCE)
    assert line in LINES[int(number) - 1]
    assert result.last_line in result.message or ending == "output"
    assert result.stdout.startswith(b"before\n")
    assert len(result.stdout) <= LIMITS.output_B
    # the loop that fills `sink` ran before any of this
    filled = [
        access
        for access in faults.program.accesses
        if "i < 100; i++) sink" in LINES[access.line - 1]
    ]
    assert result.block_counts[filled[0].block] == 100


def test_the_trace_goes_up_to_the_crash(faults: Compiled) -> None:
    seen: list[int] = []
    failing(faults, "s", on_chunk=lambda chunk: seen.extend(chunk.access.tolist()))
    lines = [faults.program.accesses[access].line for access in seen]
    increments = [number for number, line in enumerate(LINES, 1) if "sink[i]++" in line]
    assert lines.count(increments[0]) == 4  # two iterations, a load and a store each


def test_a_signal_and_its_status_are_those_of_a_shell(faults: Compiled) -> None:
    assert failing(faults, "s").status == 139
    assert failing(faults, "a").status == 134


def test_exit_without_flushing_loses_nothing(faults: Compiled) -> None:
    result = failing(faults, "x")
    assert (result.ending, result.status, result.message) == ("exit", 7, "")
    assert result.recorded > 100


def test_a_forked_copy_is_not_in_the_trace(faults: Compiled) -> None:
    seen: list[int] = []
    result = failing(faults, "k", on_chunk=lambda chunk: seen.extend(chunk.access.tolist()))
    lines = [LINES[faults.program.accesses[access].line - 1] for access in seen]
    assert result.ending == "exit"
    assert not any("sink[k % 100]--" in line for line in lines)
    assert sum("sink[i]++" in line for line in lines) == 200
    place = next(n for n, line in enumerate(LINES, 1) if "fork() == 0" in line)
    assert result.unseen == (
        f"what the copies do that the program makes of itself at {SOURCE}:{place} (fork)",
    )


IMAGES = """#define _GNU_SOURCE
#include <spawn.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
static int cells[1000];
static void work(int n) { for (int i = 0; i < n; i++) cells[i] += i; }
int main(int count, char **words) {
  char how = count > 1 ? words[1][0] : 0, *again[] = {"again", "x", 0};
  pid_t child = -1;
  if (how == 'x') { work(900); return 0; }
  work(10);
  if (how == 'v' && !(child = vfork())) { work(500); _exit(3); }
  if (how == 's' && !(child = syscall(SYS_fork))) { work(500); _exit(3); }
  if (how == 'p') posix_spawn(&child, "/proc/self/exe", 0, 0, again, environ);
  if (how == 'e') execv("/proc/self/exe", again);
  pid_t (*volatile copy)(void) = fork;
  if (how == 'f' && !(child = copy())) { work(500); _exit(3); }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}
"""


@pytest.mark.parametrize(
    ("how", "status", "said"),
    [
        ("v", 3, r"the copies do that the program makes of itself at .*:15 \(vfork\)"),
        ("s", 11, r"the system calls do .* at .*:16 \(syscall\); a copy .* ends with SIGSEGV"),
        ("p", 0, r"the programs do that it starts at .*:17 \(posix_spawn\)"),
        ("e", 0, r"the programs do that it starts at .*:18 \(execv\)"),
        ("f", 3, r"^what the copies do that the program makes of itself$"),
    ],
)
def test_what_copies_and_other_programs_do_is_not_counted_in(
    how: str, status: int, said: str, compiled: Compile
) -> None:
    program = compiled(IMAGES)
    seen: list[int] = []
    result = run(program, arguments=[how], on_chunk=lambda c: seen.extend(c.access.tolist()))
    assert result.status == status
    assert re.search(said, "\n".join(result.unseen))
    line = next(n for n, text in enumerate(IMAGES.splitlines(), 1) if "static void work" in text)
    assert sum(program.program.accesses[each].line == line for each in seen) == 2 * 10


def test_handlers_of_signals_are_named_as_not_seen(compiled: Compile) -> None:
    text = """#include <signal.h>
#include <sys/time.h>
static volatile int times;
static void handle(int number) { times += number > 0; }
int main(void) {
    struct itimerval every = {{0, 1000}, {0, 1000}};
    signal(SIGALRM, handle);
    signal(SIGUSR1, handle);
    raise(SIGUSR1);
    setitimer(ITIMER_REAL, &every, 0);
    while (times < 4) ;
    return times;
}
"""
    result = run(compiled(text), limits=LIMITS)
    (said,) = result.unseen
    assert said.startswith(f"what handlers of signals access ({result.status - 1} times): ")


def test_reading_the_trace_counts_in_the_limit_of_time(faults: Compiled) -> None:
    read: list[int] = []

    def slowly(chunk: Chunk) -> None:
        read.append(len(chunk))
        time.sleep(LIMITS.time_s / 4)

    result = failing(faults, "e", on_chunk=slowly)
    assert result.ending == "time"
    # what is handed over at once and what is left at the end may be as many chunks as there are
    assert len(read) <= 4 + 2 * CHUNKS


def test_static_arrays_beyond_the_limit_of_memory(compiled: Compile) -> None:
    program = compiled("static char large[900000000]; int main(void) { return large[5]; }")
    result = run(program, limits=Limits(memory_B=256 << 20))
    assert result.ending == "memory"
    assert "does not start with 256 MiB" in result.message
    assert run(program).ending == "exit"


def test_the_program_sees_a_small_world(compiled: Compile) -> None:
    program = compiled(
        "#include <fcntl.h>\n#include <stdio.h>\n#include <unistd.h>\n"
        "int main(int argc, char **argv, char **environment) {"
        " for (; *environment; environment++) puts(*environment);"
        ' printf("%d %d\\n", open("/dev/null", O_RDONLY), getchar()); return 0; }'
    )
    lines = run(program).stdout.decode().splitlines()
    assert [line.partition("=")[0] for line in lines[:-1]] == ["PATH", "LC_ALL", "HOME", "TMPDIR"]
    assert lines[-1] == "3 -1"
