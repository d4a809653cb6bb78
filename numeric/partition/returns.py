"""How often each piece of a program ran, where calls need not return, or return twice.

Blocks and edges are counted, pieces of a block are not. All of them run as often as the block is
entered, unless a call among them does not come back (`exit`, or `longjmp` over its frame) or comes
back once more (`setjmp`). How often a block was left says so of blocks that lead on. Of one that
ends its function it follows from the calls of that function and how often it came back: what is
missing is taken from the calls in the order of the program.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from logca.numeric.partition.pieces import Pieces
from logca.trace.program import Program

__all__ = ["executions_of"]


def executions_of(
    program: Program,
    pieces: Pieces,
    entered: Sequence[int],
    left: Mapping[int, int],
) -> tuple[int, ...]:
    """Executions of each piece.

    Parameters
    ----------
    program : Program
        The program.
    pieces : Pieces
        Its pieces.
    entered : sequence of int
        Executions of each block [1].
    left : mapping of int to int
        How often blocks that lead on were left along their edges [1].

    Returns
    -------
    tuple of int
        By piece [1].
    """
    times = [0] * len(pieces.pieces)
    lost: dict[int, int] = {}
    sites: dict[str, list[int]] = defaultdict(list)
    for number, piece in enumerate(pieces.pieces):
        if piece.calls:
            sites[piece.calls].append(number)
    for _ in range(len(program.functions) + 1):
        for block in range(len(program.blocks)):
            _pass_on(pieces, block, entered[block], left.get(block), lost, times)
        found = _missing(program, pieces, sites, left, times)
        if found == lost:
            break
        lost = found
    return tuple(times)


def _pass_on(
    pieces: Pieces,
    block: int,
    entered: int,
    left: int | None,
    lost: Mapping[int, int],
    times: list[int],
) -> None:
    """Executions of the pieces of a block, given which calls are lost."""
    own = range(pieces.first[block], pieces.first[block + 1])
    now = entered
    for number in own:
        times[number] = now
        now -= min(now, lost.get(number, 0))
    if left is None or len(own) < 2 or times[own[-1]] == left:
        return
    # it was left more or less often than is known: since the first call that may be why
    more = left > times[own[-1]]
    for number in own[:-1]:
        piece = pieces.pieces[number]
        if bool(piece.pinned) if more else bool(piece.calls or piece.pinned):
            for after in range(number + 1, own.stop):
                times[after] = left
            return


def _missing(
    program: Program,
    pieces: Pieces,
    sites: Mapping[str, Sequence[int]],
    left: Mapping[int, int],
    times: Sequence[int],
) -> dict[int, int]:
    """Of each call of a function how many did not come back."""
    found: dict[int, int] = {}
    for function in program.functions:
        ends = [
            pieces.last(block)
            for block in function.blocks
            if program.blocks[block].instructions
            and program.blocks[block].instructions[-1].opcode == "ret"
        ]
        missing = times[pieces.first[function.blocks[0]]] - sum(times[end] for end in ends)
        # blocks that lead on say themselves what they lost
        for known in (True, False):
            for site in sites.get(function.name, ()):
                leads_on = pieces.pieces[site].block in left
                if leads_on is known:
                    seen = times[site] - times[site + 1] if known else times[site]
                    found[site] = max(0, min(missing, seen))
                    missing -= found[site]
    return {site: number for site, number in found.items() if number}
