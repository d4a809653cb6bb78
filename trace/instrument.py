"""The program's text, instrumented: its functions rewritten, and what they need around them."""

import re
from collections.abc import Iterator

from logca.trace.assembly import without_records
from logca.trace.errors import TraceError
from logca.trace.plan import Plan
from logca.trace.program import Program
from logca.trace.progress import marks_of
from logca.trace.rewriting import NAME, Part, Rewriter
from logca.trace.ring import HEADER_WORDS, PAGE_BYTES

__all__ = ["instrumented", "state_bytes"]

RENAMED = (
    *("malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign"),
    *("pthread_create", "thrd_create"),
    *("signal", "__sysv_signal", "sigaction", "longjmp", "_longjmp", "siglongjmp"),
)

FUNCTION = re.compile(rf"define .*?@({NAME})\(")
TEXT = re.compile(r'c"[^"]*"')
OWN = re.compile(r"@(__logca_trace_[\w.$]*)")
LABEL = re.compile(rf"({NAME}):")
LIBRARY = re.compile(rf"\"[^\"]*\"|@({'|'.join(RENAMED)})(?=[\s,()])")
CALLED = re.compile(rf"(?:define |.*\bcall ).*?@({NAME})\(")
GROUP = re.compile(r" #(\d+)")
PURE = re.compile(r"^attributes #(\d+) = .*", re.MULTILINE)
MEMORY = re.compile(r" memory\([^)]*\)| speculatable")
START = re.compile(r"@llvm\.global_([cd]tors) = ")
STARTED = re.compile(rf"\{{ i32 (\d+), ptr (@{NAME}), ptr [^}}]* \}}")
GLOBAL = re.compile(rf"^@({NAME}) = ", re.MULTILINE)
NUMBERED = re.compile(r"^!(\d+) = ", re.MULTILINE)


def state_bytes(program: Program) -> int:
    """Size of the state that the program shares with the reader [B]: header and counters."""
    words = HEADER_WORDS + len(program.edges) + len(program.functions)
    return -(-8 * words // PAGE_BYTES) * PAGE_BYTES


def instrumented(program: Program, ir: str, *, plan: Plan, counts: bool) -> str:
    """Instrument a program.

    Parameters
    ----------
    program : Program
        What there is to say of it.
    ir : str
        Its text [text].
    plan : Plan
        What it records.
    counts : bool
        Whether it counts edges.

    Raises
    ------
    TraceError
        If it defines a name that the instrumentation needs.
    """
    if taken := OWN.search(TEXT.sub("", ir)):
        raise TraceError(
            f"the program uses the name {taken[1]}: names that start with __logca_trace_ are the"
            " tracer's; rename it"
        )
    own = {function.name for function in program.functions}
    text = without_purity(renamed(without_records(ir), own.union(GLOBAL.findall(ir))), own)
    rare = 1 + max((int(number) for number in NUMBERED.findall(text)), default=0)
    marks, text = marks_of(text, rare + 1)
    edges = {(edge.source, edge.target): edge.id for edge in program.edges} if counts else {}
    numbers: dict[str, dict[str, int]] = {}
    for block in program.blocks:
        numbers.setdefault(block.function, {})[block.name] = block.id
    entries = {each.name: len(program.edges) + n for n, each in enumerate(program.functions)}
    size = state_bytes(program)
    words = f"[{size // 8} x i64] zeroinitializer, align {PAGE_BYTES}"
    lines: list[str] = []
    rest = iter(text.splitlines())
    for line in rest:
        if found := FUNCTION.match(line):
            name = found[1].strip('"')
            marks.enter(line)
            rewriter = Rewriter(
                plan=plan,
                edges=edges,
                numbers=numbers[name],
                entry=entries[name] if counts else None,
                based=name in plan.based,
                rare=rare,
                marks=marks,
            )
            lines += [line, *rewriter.lines(parts_of(rest)), "}"]
        elif found := START.match(line):
            lines += started(line, found[1])
        else:
            lines.append(line)
    return "\n".join(
        [
            *lines,
            f"@__logca_trace_state = global {words}",
            f"@__logca_trace_state_bytes = constant i64 {size}",
            "declare preserve_allcc void @__logca_trace_flush()",
            f'!{rare} = !{{!"branch_weights", i32 1, i32 1048575}}',
            *marks.lines(),
            "",
        ]
    )


def renamed(text: str, own: set[str]) -> str:
    """The text with our versions of some library functions, unless the program has its own."""

    def new(found: re.Match[str]) -> str:
        name = found[1]
        return f"@__logca_trace_{name}" if name and name not in own else found[0]

    return LIBRARY.sub(new, text)


def without_purity(text: str, own: set[str]) -> str:
    """The text without promises that functions write nothing: now they do."""
    groups = {
        group
        for line in text.splitlines()
        if (found := CALLED.match(line)) and found[1].strip('"') in own
        for group in GROUP.findall(line)
    }
    return PURE.sub(
        lambda found: MEMORY.sub("", found[0]) if found[1] in groups else found[0], text
    )


def started(line: str, kind: str) -> Iterator[str]:
    """Functions run before and after `main`, in sections that the C library of today reads."""
    section = {"ctors": ".init_array", "dtors": ".fini_array"}
    for number, (priority, function) in enumerate(STARTED.findall(line)):
        suffix = "" if priority == "65535" else f".{int(priority):05d}"
        yield (
            f"@__logca_trace_{kind}_{number} = global ptr {function}, "
            f'section "{section[kind]}{suffix}", align 8'
        )


def parts_of(lines: Iterator[str]) -> list[Part]:
    """The blocks of a function, whose last line is taken too."""
    parts: list[Part] = []
    for line in lines:
        if line == "}":
            break
        if line[:2] == "  " and line[2:3] not in {" ", "]"}:
            parts[-1].statements.append(line)
        elif found := LABEL.match(line):
            parts.append(Part(found[1]))
        elif line:
            parts[-1].statements[-1] += "\n" + line
    return parts
