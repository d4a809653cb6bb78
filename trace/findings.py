"""What a profile holds: counts of instructions and loops, and what accesses did to memory."""

from dataclasses import dataclass

__all__ = [
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
    """Instructions of one kind.

    Parameters
    ----------
    opcode, type : str
        LLVM's name of the operation, and the type of its result; of a store, what it stores [text].
    static : int
        How many there are in the program [1].
    executed : int
        How many were executed [1].
    """

    opcode: str
    type: str
    static: int
    executed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Footprint:
    """Distinct memory that was touched.

    Parameters
    ----------
    bytes : int
        Distinct bytes [B].
    lines : int
        Distinct lines of 64 B that they are in [1].

    Examples
    --------
    >>> Footprint(bytes=16, lines=1).use
    0.25
    """

    bytes: int
    lines: int

    @property
    def use(self) -> float:
        """Share of the bytes of the lines that were touched [1]; 1 where there are none."""
        return self.bytes / (64 * self.lines) if self.lines else 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Strides:
    """How the address of an access changes when a loop goes on to its next iteration.

    A difference is that between the first execution in an iteration of the loop and the first one
    in the iteration before in which there was any, in the same entry of the loop.

    Parameters
    ----------
    loop : int or None
        The loop that went on; None if it was none of the function that the access is in [1].
    cause : str
        ``loop``; ``around``: a loop of a caller, or around the region; ``again``: no loop at all,
        as when a function is called twice in a row [text].
    count : int
        Differences that there were [1].
    common : tuple of (int, int)
        Differences [B] and how often they were there [1], the most frequent first.
    others : int
        Differences that are not told apart, because there are more than 64 different ones [1].

    Examples
    --------
    >>> rows = Strides(loop=0, cause="loop", count=4, common=((8, 3), (-24, 1)), others=0)
    >>> rows.stride, rows.share
    (8, 0.75)
    """

    loop: int | None
    cause: str
    count: int
    common: tuple[tuple[int, int], ...]
    others: int

    @property
    def stride(self) -> int:
        """The most frequent difference [B]."""
        return self.common[0][0]

    @property
    def share(self) -> float:
        """Its share [1]."""
        return self.common[0][1] / self.count


@dataclass(frozen=True, slots=True, kw_only=True)
class ReuseCounts:
    """How many other lines of 64 B were touched since an access' line was touched before.

    Parameters
    ----------
    first : int
        Touches of a line that was not touched before [1].
    powers : tuple of int
        Touches by distance: number 0 has distance 0, number j distances from 2**(j-1) to
        2**j - 1 [1].

    Examples
    --------
    >>> counts = ReuseCounts(first=2, powers=(5, 0, 1))
    >>> counts.touches, counts.misses(2), counts.misses(4)
    (8, 3, 2)
    """

    first: int
    powers: tuple[int, ...]

    @property
    def touches(self) -> int:
        """Lines touched, each as often as it was [1]."""
        return self.first + sum(self.powers)

    def misses(self, lines: int) -> int:
        """Misses in a fully associative LRU cache, first touches among them [1].

        Parameters
        ----------
        lines : int
            Size of the cache [lines], a power of two.
        """
        return self.first + sum(self.powers[lines.bit_length() :])


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessFindings:
    """What one place in the program that accesses memory did.

    Parameters
    ----------
    access : int
        Its number in the program [1].
    count : int
        How often it was executed [1].
    bytes : int
        What it moved [B].
    footprint : Footprint
        Distinct memory.
    strides : tuple of Strides
        By loop, the innermost first.
    reuse : ReuseCounts
        Its touches of lines, after touches by any access.
    """

    access: int
    count: int
    bytes: int
    footprint: Footprint
    strides: tuple[Strides, ...]
    reuse: ReuseCounts


@dataclass(frozen=True, slots=True, kw_only=True)
class LineFindings:
    """What the accesses of a line of the source did.

    Parameters
    ----------
    file : str
        Source file [text].
    line : int
        The line; 0 if unknown [1].
    text : str
        What it says, without indentation; empty if the file cannot be read [text].
    loads, stores : int
        Executions [1].
    bytes : int
        What they moved [B].
    footprint : Footprint
        Distinct memory of all of them.
    reuse : ReuseCounts
        Touches of lines of memory.
    accesses : tuple of AccessFindings
        Its accesses in program order.
    """

    file: str
    line: int
    text: str
    loads: int
    stores: int
    bytes: int
    footprint: Footprint
    reuse: ReuseCounts
    accesses: tuple[AccessFindings, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopFindings:
    """What a loop did.

    Parameters
    ----------
    loop : int
        Its number in the program [1].
    text : str
        What its first line says, without indentation; empty if the file cannot be read [text].
    entries : int
        How often control came to it from outside [1].
    iterations : int
        How often control went on from its header into its body, in all [1].
    instructions : int
        Instructions executed in it and in the loops inside, those of called functions not [1].
    accesses : int or None
        Accesses likewise; None if they were not recorded [1].
    footprint : Footprint or None
        Distinct memory likewise.
    """

    loop: int
    text: str
    entries: int
    iterations: int
    instructions: int
    accesses: int | None
    footprint: Footprint | None

    @property
    def trip(self) -> float:
        """Mean number of iterations of an entry [1]; 0 without an entry."""
        return self.iterations / self.entries if self.entries else 0.0
