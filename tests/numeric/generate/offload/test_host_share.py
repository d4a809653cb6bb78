"""The part of the work that the host keeps: the best of all shares, and the same in every program.

Brute force: shares are tried, and the time of each is written down anew.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from logca import Accelerator, numeric
from logca.numeric.fit.decide import decide
from logca.numeric.fit.fit import Fit, fit
from logca.numeric.generate.codegen.offers import offers
from logca.numeric.generate.codegen.tree import TargetFunction
from logca.numeric.generate.offload.host_share import host_share_source
from logca.numeric.generate.offload.rule import OffloadError
from logca.numeric.generate.offload.source import source
from logca.numeric.timings.timings import Timings

Results = dict[str, list[float]]
RunSource = Callable[[str, str, Sequence[TargetFunction], Sequence[dict[str, float]]], Results]

LANGUAGES = ("c", "c++", "cpp", "cuda", "rust", "fortran", "javascript", "python", "julia")
POINTS = 3000
SHARES = np.linspace(0, 1, 20_001)
LATENCIES = ("constant", "linear")


def accelerator(rng: random.Random, latency: str) -> Accelerator:
    return Accelerator(
        o=10 ** rng.uniform(0, 5),
        L=10 ** rng.uniform(-3, 3),
        C=10 ** rng.uniform(-1, 3),
        A=1 + 10 ** rng.uniform(-1, 2),
        beta=rng.choice([0.7, 1.0, 1.5]),
        latency=latency,
    )


@pytest.mark.parametrize("latency", LATENCIES)
def test_no_other_share_is_done_sooner(latency: str) -> None:
    """Neither of 20,001 shares, of which all and nothing are two."""
    rng, shared = random.Random(latency), 0
    for _ in range(200):
        some, g = accelerator(rng, latency), 10 ** rng.uniform(0, 7)
        host = some.C * g**some.beta
        once, per_byte = (some.L, 0.0) if latency == "constant" else (0.0, some.L)
        sent = 1 - SHARES
        there = once + (per_byte * g + host / some.A) * sent
        times = np.where(sent > 0, some.o + np.maximum(SHARES * host, there), host)
        best = int(np.argmin(times))
        found = decide(some, g)
        assert host / found.speedup_shared <= times[best] * (1 + 1e-9)
        # between two neighbours of the best one tried, unless all shares are about as good
        kept = SHARES[max(best - 1, 0)], SHARES[min(best + 1, len(SHARES) - 1)]
        tied = host / found.speedup_shared > times[best] * (1 - 1e-9)
        assert tied or kept[0] <= found.host_share <= kept[1]
        shared += found.host_share < 1
    assert 50 < shared < 200


def test_it_is_what_is_left_of_the_share_that_is_sent() -> None:
    """The paper-like case: linear work, shares of the data."""
    rest = {"L": 1500.0, "C": 90.0, "A": 19.0}
    given = {"o": 29_000.0, **rest}
    sizes = np.geomspace(1, 1e6, 50)
    kept, first = numeric.host_share(sizes, **given), numeric.g1_coexecuted(**given)
    wanted = np.where(sizes > first, 1 - numeric.coexecution_share(sizes, **rest), 1.0)
    np.testing.assert_allclose(kept, wanted, rtol=1e-12)


@pytest.fixture(scope="module")
def bases() -> dict[str, Fit | Accelerator]:
    sizes = np.logspace(6, 24, 8, base=2)
    noise = np.exp(0.02 * np.random.default_rng(3).standard_normal((2, sizes.size)))
    host, offloaded = 5e-9 * sizes**0.9 * noise[0], (9e-6 + 8e-10 * sizes**0.95) * noise[1]
    return {
        "fit": fit(Timings(granularity=sizes, host=host, accelerated=offloaded)),
        "device": Accelerator(o=29_000, L=1500, C=90, A=19),
        "linear": Accelerator(
            o=1e-5, L=1.5e-9, C=3.6e-8, A=12, latency="linear", unit="seconds", beta=1.2
        ),
    }


@pytest.fixture(scope="module")
def decided(bases: dict[str, Fit | Accelerator]) -> dict[str, dict[int, float]]:
    """What `decide` says of 3,000 random sizes."""
    draw = random.Random(10)
    sizes = [int(2 ** draw.uniform(7, 45)) for _ in range(POINTS // len(bases) + 1)]
    return {
        name: {size: decide(basis, size).host_share for size in sizes}
        for name, basis in bases.items()
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_programs_say_what_decide_says(
    language: str,
    bases: dict[str, Fit | Accelerator],
    decided: dict[str, dict[int, float]],
    run_source: RunSource,
) -> None:
    for name, basis in bases.items():
        text = host_share_source({"c++": "c"}.get(language, language), basis, (), name="a_1")
        free = offers()["host_share"].functions()[basis.latency]
        only = tuple(each for each in free.parameters if each.name == "g")
        rows = [{"g": float(size)} for size in decided[name]]
        called = [replace(free, name="a_1_host_share", parameters=only)]
        found = run_source(language, text, called, rows)["a_1_host_share"]
        asked = [*decided[name].values()]
        np.testing.assert_allclose(found[: len(rows)], asked, rtol=1e-12, err_msg=name)
        assert len({*asked}) > len(asked) / 2
        if language in ("cuda", "rust"):  # compilers that take long
            break


def test_names_of_kernels_are_those_of_thresholds() -> None:
    basis = Accelerator(o=29_000, L=1500, C=90, A=19)
    assert "logca_host_share(double g)" in host_share_source("c", basis, ("--A", "19"))
    for write in (host_share_source, source):
        with pytest.raises(OffloadError, match="'AES' is no name of a kernel"):
            write("c", basis, (), name="AES")
