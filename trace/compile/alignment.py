"""Arrays that begin where a device's allocator would put them.

C aligns arrays to 16 bytes; `cudaMalloc` to 256 at least. Which of both decides how many lines a
warp touches, so that a program that is traced in the place of one with device memory needs the
latter.
"""

import re

__all__ = ["aligned"]

_GLOBAL = re.compile(r"^(@[^=\n]+ = [^\n]*\bglobal \[[^\n]*, align )(\d+)", re.MULTILINE)
_MALLOC = re.compile(r"(\bcall\b[^@\n]*)@malloc\(i64 ([^)\n]*)\)")
_DECLARED = re.compile(r"^declare [^\n]*@aligned_alloc\(", re.MULTILINE)


def aligned(ir: str, to: int) -> str:
    """A module whose global arrays and what `malloc` gives begin at multiples of so many bytes.

    Examples
    --------
    >>> print(aligned("@A = internal global [9 x float] zeroinitializer, align 16", 256))
    @A = internal global [9 x float] zeroinitializer, align 256
    """
    found = _GLOBAL.sub(lambda each: f"{each[1]}{max(to, int(each[2]))}", ir)
    found, calls = _MALLOC.subn(rf"\1@aligned_alloc(i64 {to}, i64 \2)", found)
    if calls and not _DECLARED.search(found):
        found += "\ndeclare ptr @aligned_alloc(i64, i64)\n"
    return found
