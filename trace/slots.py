"""What a block records: which records, before which of its statements.

A stretch is a straight line of records up to a call: the program checks once whether all of them
fit.
"""

from dataclasses import dataclass
from enum import Enum

__all__ = ["Selector", "Slot", "Stretch", "What"]


class What(Enum):
    """What the lower bits of a record hold."""

    ADDRESS = "the address of an access"
    LENGTH = "the length of the copy in the record before"
    MARK = "nothing: an iteration starts"
    BASE = "how many cells the callers' loops take"
    PAGE = "the page of the sites that follow"


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """A record to be written.

    Parameters
    ----------
    index : int
        The statement of the block before which it is written [1].
    what : What
        What it holds.
    site : int
        Its site, unless a loop chooses it [1].
    loop : int or None
        The loop whose way of being reached chooses between two sites [1].
    value : int
        Of a base: cells that this function's own loops take; of a page: its number [1].
    store : bool
        Of an address: whether that of the destination is meant.
    """

    index: int
    what: What
    site: int = 0
    loop: int | None = None
    value: int = 0
    store: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """Records that are checked for room together; valid from statement `end` on [1]."""

    slots: tuple[Slot, ...]
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Selector:
    """How the header of a loop tells entering it from going on with it.

    Parameters
    ----------
    loop : int
        The loop [1].
    blocks : frozenset of int
        Its blocks [1].
    entering, again : int
        The sites of the two [1].
    """

    loop: int
    blocks: frozenset[int]
    entering: int
    again: int

    def site(self, source: int) -> int:
        """The site if control comes from that block [1]."""
        return self.again if source in self.blocks else self.entering
