"""Theorems of ours: into how many chunks a stream is best cut."""

from logca.proofs.claims.claim import Claim

__all__ = ["CLAIMS"]

_SOURCE = "logca2026, chunking"
_LINEAR = ("beta == 1", "o + L0 > 0")

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="ext-chunk-model",
        source=_SOURCE,
        statement="For linear complexity a stream in n chunks takes one chunk through both stages "
        "and n - 1 turns of the longer stage; one chunk is the plain offload.",
        given=("beta == 1", "n >= 1"),
        asserts=(
            "chunked_time == o + L0 + (L1 + C/A)*N/n + (n - 1)*max(o + L0 + L1*N/n, C*N/(A*n))",
            "chunked_time(n=1) == T1(g=N)",
        ),
    ),
    Claim(
        id="ext-chunk-convex",
        source=_SOURCE,
        statement="For linear complexity the time is convex in the number of chunks: the larger "
        "of two convex functions.",
        given=("beta == 1", "n >= 1"),
        asserts=(
            "chunked_time == max(n*(o + L0) + L1*N + C*N/(A*n), o + L0 + L1*N/n + C*N/A)",
            "diff(n*(o + L0) + L1*N + C*N/(A*n), n, 2) > 0",
            "diff(o + L0 + L1*N/n + C*N/A, n, 2) >= 0",
        ),
        argument="A maximum of convex functions is convex. So the best integer is next to the "
        "best real number: its floor or its ceiling.",
    ),
    Claim(
        id="ext-chunk-optimum",
        source=_SOURCE,
        statement="For linear complexity no number of chunks takes less time than chunks_optimal.",
        given=(*_LINEAR, "n >= 1"),
        asserts=(
            "chunked_time(n=chunks_optimal) == chunked_time_optimal",
            "chunked_time >= chunked_time_optimal",
        ),
    ),
    Claim(
        id="ext-chunk-optimum-choice",
        source=_SOURCE,
        statement="It is the largest of one, the number that balances the stages, and the number "
        "at which the pipeline filled by host and link takes least time.",
        given=_LINEAR,
        asserts=(
            "chunks_optimal == max(1, max((C/A - L1)*N/(o + L0), sqrt(C*N/(A*(o + L0)))))",
            "chunks_stationary**2 == C*N/(A*(o + L0))",
            "chunks_optimal >= chunks_stationary",
        ),
    ),
    Claim(
        id="ext-chunk-balanced",
        source=_SOURCE,
        statement="The balanced number of chunks makes both stages equally long.",
        given=("exists(chunks_balanced)",),
        asserts=(
            "o + L0 + L1*N/chunks_balanced == C*N/(A*chunks_balanced)",
            "chunks_optimal >= chunks_balanced",
        ),
    ),
    Claim(
        id="ext-chunk-value-stationary",
        source=_SOURCE,
        statement="Where host and link are the longer stage the least time is "
        "L1*N + 2*sqrt((o + L0)*C*N/A).",
        given=("exists(chunked_time_stationary)",),
        asserts=(
            "chunks_optimal == chunks_stationary",
            "chunked_time_optimal == chunked_time_stationary",
            "chunked_time_stationary == L1*N + 2*sqrt((o + L0)*C*N/A)",
        ),
    ),
    Claim(
        id="ext-chunk-value-balanced",
        source=_SOURCE,
        statement="Where the stages balance it is the computation of the stream, plus "
        "C*(o + L0)/(C - A*L1).",
        given=("exists(chunked_time_balanced)",),
        asserts=(
            "chunks_optimal == chunks_balanced",
            "chunked_time_optimal == chunked_time_balanced",
            "chunked_time_balanced == C*N/A + C*(o + L0)/(C - A*L1)",
        ),
    ),
    Claim(
        id="ext-chunk-one",
        source=_SOURCE,
        statement="For linear complexity a stream whose computation is shorter than what an "
        "offload pays once is sent whole.",
        given=("beta == 1", "C*N <= A*(o + L0)"),
        asserts=("chunks_optimal == 1", "chunked_time_optimal == T1(g=N)"),
    ),
    Claim(
        id="ext-chunk-size",
        source=_SOURCE,
        statement="Where the stages balance the chunk is half-peak, whatever the stream.",
        given=("exists(chunk_size_optimal)",),
        asserts=(
            "chunk_size_optimal == gA2",
            "chunk_size_optimal == A*(o + L0)/(C - A*L1)",
            "chunk_size_optimal == N/chunks_balanced",
        ),
    ),
)
