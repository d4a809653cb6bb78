"""Contents of a profile: counts of instructions and loops, and what accesses did to memory."""

from dataclasses import dataclass

__all__ = [
    "CACHES",
    "AccessFindings",
    "Footprint",
    "InstructionCount",
    "LineFindings",
    "LoopFindings",
    "ReuseCounts",
    "Strides",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class InstructionCount:
    """Instructions of one kind."""

    # opcode, type: LLVM's name of the operation, and the type of its result; of a store, what it
    # stores
    opcode: str
    type: str
    static: int  # how many there are in the program [1]
    executed: int  # how many were executed [1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Footprint:
    """Distinct memory that was touched.

    Examples
    --------
    >>> Footprint(bytes=16, lines=1).use
    0.25
    """

    bytes: int  # distinct bytes [B]
    lines: int  # distinct lines of 64 B that they are in [1]

    @property
    def use(self) -> float:
        """Share of the bytes of the lines that were touched [1]; 1 where there are none."""
        return self.bytes / (64 * self.lines) if self.lines else 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Strides:
    """Changes of an access' address when a loop goes on to its next iteration.

    A difference is that between the first execution in an iteration of the loop and the first one
    in the iteration before in which there was any, in the same entry of the loop.

    Examples
    --------
    >>> rows = Strides(loop=0, cause="loop", count=4, common=((8, 3), (-24, 1)), others=0)
    >>> rows.stride, rows.share
    (8, 0.75)
    """

    # the loop that went on; None if it was none of the function that the access is in [1]
    loop: int | None
    # ``loop``; ``around``: a loop of a caller, or around the region; ``again``: no loop at all,
    # as when a function is called twice in a row
    cause: str
    count: int  # differences that there were [1]
    # differences [B] and how often they were there [1], the most frequent first
    common: tuple[tuple[int, int], ...]
    # differences that are not counted separately, because there are more than 64 different ones [1]
    others: int

    @property
    def stride(self) -> int:
        """The most frequent difference [B]."""
        return self.common[0][0]

    @property
    def share(self) -> float:
        """Its share [1]."""
        return self.common[0][1] / self.count


CACHES = ((9, "32 KiB"), (14, "1 MiB"), (19, "32 MiB"))
"""Sizes of caches for which misses are told: powers of two of lines of 64 B, and their names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReuseCounts:
    """Counts of other lines of 64 B touched since an access' line was touched before.

    Examples
    --------
    >>> counts = ReuseCounts(first=2, powers=(5, 0, 1))
    >>> counts.touches, counts.misses(2), counts.misses(4)
    (8, 3, 2)
    """

    first: int  # touches of a line that was not touched before [1]
    # touches by distance: number 0 has distance 0, number j distances from 2**(j-1) to 2**j - 1
    # [1]
    powers: tuple[int, ...]

    @property
    def touches(self) -> int:
        """Lines touched, each as often as it was [1]."""
        return self.first + sum(self.powers)

    def misses(self, lines: int) -> int:
        """Misses in a fully associative LRU cache, first touches among them [1]."""
        return self.first + sum(self.powers[lines.bit_length() :])


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessFindings:
    """Findings on one place in the program that accesses memory."""

    access: int  # its number in the program [1]
    count: int  # how often it was executed [1]
    bytes: int  # what it moved [B]
    footprint: Footprint  # distinct memory
    strides: tuple[Strides, ...]  # by loop, the innermost first
    reuse: ReuseCounts  # its touches of lines, after touches by any access


@dataclass(frozen=True, slots=True, kw_only=True)
class LineFindings:
    """Findings on the accesses of a line of the source."""

    file: str  # source file
    line: int  # the line; 0 if unknown [1]
    text: str  # what it says, without indentation; empty if the file cannot be read
    # loads, stores: executions [1]
    loads: int
    stores: int
    bytes: int  # what they moved [B]
    footprint: Footprint  # distinct memory of all of them
    reuse: ReuseCounts  # touches of lines of memory
    accesses: tuple[AccessFindings, ...]  # its accesses in program order


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopFindings:
    """Findings on a loop."""

    loop: int  # its number in the program [1]
    text: str  # what its first line says, without indentation; empty if the file cannot be read
    entries: int  # how often control came to it from outside [1]
    iterations: int  # how often control went on from its header into its body, in all [1]
    # instructions executed in it and in the loops inside, those of called functions not [1]
    instructions: int
    accesses: int | None  # accesses likewise; None if they were not recorded [1]
    footprint: Footprint | None  # distinct memory likewise

    @property
    def trip(self) -> float:
        """Mean number of iterations of an entry [1]; 0 without an entry."""
        return self.iterations / self.entries if self.entries else 0.0
