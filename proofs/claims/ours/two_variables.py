"""Theorems of ours: bytes, work and items apart, where the break-even is a boundary of shapes."""

from logca.proofs.claims.claim import Claim

__all__ = ["CLAIMS"]

_SOURCE = "logca2026, bytes and work apart"
_SAME = (
    "data_bytes=g, work=g, items=0, call_time_host=0, byte_time_host=0, work_time_host=C,"
    " call_time_accelerated=o + L0, byte_time_accelerated=L1, work_time_accelerated=C/A"
)

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="ext-shapes-one-variable",
        source=_SOURCE,
        statement="Where bytes and work are both the granularity, and the host only computes, this "
        "is the model of the papers.",
        given=("latency == affine",),
        asserts=(
            f"shape_time_host({_SAME}) == T0",
            f"shape_time_accelerated({_SAME}) == T1",
            f"shape_speedup({_SAME}) == speedup",
        ),
    ),
    Claim(
        id="ext-shapes-break-even",
        source=_SOURCE,
        statement="The boundary in work then runs through the break-even.",
        given=("exists(g1)", "latency == affine"),
        asserts=(f"shape_speedup({_SAME.replace('=g', '=g1')}) == 1",),
    ),
    Claim(
        id="ext-shapes-sign",
        source=_SOURCE,
        statement="Offloading pays exactly if it gains more by computing than it loses otherwise.",
        given=("shape_time_accelerated > 0",),
        asserts=(
            "iff(shape_speedup > 1, (work_time_host - work_time_accelerated)*work**beta"
            " > shape_loss)",
        ),
    ),
    Claim(
        id="ext-shapes-boundary",
        source=_SOURCE,
        statement="If it loses something otherwise and computes faster, it pays exactly for work "
        "beyond the boundary.",
        given=("shape_loss > 0", "work_time_host > work_time_accelerated", "work > 0"),
        asserts=(
            "shape_speedup(work=work_boundary) == 1",
            "iff(shape_speedup > 1, work > work_boundary)",
        ),
    ),
    Claim(
        id="ext-shapes-never",
        source=_SOURCE,
        statement="If it loses something otherwise and computes no faster, it pays for no work.",
        given=("shape_loss > 0", "work_time_host <= work_time_accelerated"),
        asserts=("shape_speedup < 1",),
    ),
    Claim(
        id="ext-shapes-bytes",
        source=_SOURCE,
        statement="If each byte costs more offloaded, it pays exactly for fewer bytes than the "
        "boundary in bytes.",
        given=("byte_time_accelerated > byte_time_host", "shape_time_accelerated > 0"),
        asserts=("iff(shape_speedup > 1, data_bytes < bytes_boundary)",),
    ),
    Claim(
        id="ext-shapes-intensity",
        source=_SOURCE,
        statement="Where each call, item and byte costs more offloaded, each byte needs at least "
        "the boundary's power of work for it to pay, however large the data.",
        given=(
            "work_time_host > work_time_accelerated",
            "byte_time_accelerated > byte_time_host",
            "call_time_accelerated >= call_time_host",
            "item_time_accelerated >= item_time_host",
            "shape_speedup >= 1",
            "shape_time_accelerated > 0",
        ),
        asserts=("work**beta >= intensity_boundary*data_bytes",),
    ),
)
