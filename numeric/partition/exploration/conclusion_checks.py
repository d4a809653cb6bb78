"""Checks of kenter2010's conclusions against results, one function for each conclusion.

Words of the paper such as "much lower" have a number here, which the statement of the conclusion
names (`logca.numeric.partition.exploration.conclusions`).
"""

from collections.abc import Callable
from fractions import Fraction

from logca.numeric.partition.exploration.assumptions import Results
from logca.numeric.partition.exploration.explorer import Point

__all__ = [
    "AREAS",
    "Answer",
    "aes_has_nothing_yet",
    "aes_is_steep",
    "aes_needs_area",
    "aes_needs_low_latency",
    "best_is_shared_l1",
    "best_with_penalty",
    "caches_matter",
    "casts_are_why",
    "crypto_is_memory_bound",
    "crypto_is_poor",
    "fft_has_nothing_yet",
    "fft_is_steep",
    "fft_needs_low_latency",
    "jpeg_falls",
    "jpeg_keeps",
    "jpeg_leaps",
    "moderate_efficiency",
    "optimistic_area_pays",
    "optimistic_efficiency_pays",
    "optimistic_latency_pays",
    "shared_l1_is_sensitive",
    "shared_l2_is_robust",
    "slow_interface",
    "smm_is_low",
    "smm_is_no_better",
    "some_do_not_saturate",
    "uncached_are_low",
    "useful_size_varies",
]

Answer = tuple[bool | None, str]
"""True if a conclusion holds, None if nothing can be said of it; and the numbers as text."""

AREAS = tuple(1 << power for power in range(5, 13))
"""Sizes of the accelerator that are compared [1]."""

_CRYPTO = ("aes", "md5")
_UNCACHED = ("SL2-", "SMM-")
_ALL = ("SL1", "SL2+", "SL2-", "SMM+", "SMM-")
_LITTLE = 0.01


def crypto_is_poor(view: Results) -> Answer:
    """Section III-A."""
    found = {each: view.at(each).speedup - 1 for each in view.programs}
    others = [gain for name, gain in found.items() if name not in _CRYPTO]
    crypto = [found[name] for name in _CRYPTO]
    return max(crypto) < min(others), (
        f"{_named(_CRYPTO, crypto)}; others from {_percent(min(others))}"
    )


def crypto_is_memory_bound(view: Results) -> Answer:
    """Section III-A."""
    found = {each: _memory_bound(view.at(each)) for each in view.programs}
    others = [share for name, share in found.items() if name not in _CRYPTO]
    least = min(found[name] for name in _CRYPTO)
    said = ", ".join(f"{name} {found[name]:.2f}" for name in _CRYPTO)
    return least > max(others), f"tm/te {said}; others up to {max(others):.2f}"


def aes_needs_area(view: Results) -> Answer:
    """Section III-A."""
    small, large = view.at("aes").relative, view.at("aes", area=2048).relative
    return large > max(2 * small, _LITTLE), f"{_percent(small)}; at 2048: {_percent(large)}"


def best_is_shared_l1(view: Results) -> Answer:
    """Section III-B."""
    found = {name: view.mean(name) for name in _ALL}
    return found["SL1"] == max(found.values()), _means(found)


def shared_l1_is_sensitive(view: Results) -> Answer:
    """Section III-B."""
    first, second = _kept(view, "SL1"), _kept(view, "SL2+")
    return first < second, f"keeps {_percent(first)}; SL2+ {_percent(second)}"


def shared_l2_is_robust(view: Results) -> Answer:
    """Section III-B."""
    kept = _kept(view, "SL2+")
    return kept > 0.5, f"keeps {_percent(kept)}"


def best_with_penalty(view: Results) -> Answer:
    """Sections III-B and IV."""
    found = {name: view.mean(name, penalised=True) for name in _ALL}
    return found["SL2+"] == max(found.values()), _means(found)


def uncached_are_low(view: Results) -> Answer:
    """Section III-B."""
    found = {name: view.mean(name) for name in ("SL2+", *_UNCACHED)}
    return max(found[name] for name in _UNCACHED) < found["SL2+"] / 2, _means(found)


def smm_is_no_better(view: Results) -> Answer:
    """Section III-B."""
    found = {name: view.mean(name) for name in ("SMM+", *_UNCACHED)}
    bare = max(found[name] for name in _UNCACHED)
    return found["SMM+"] < 2 * max(bare, _LITTLE), _means(found)


def smm_is_low(view: Results) -> Answer:
    """Section III-B."""
    found = {name: view.mean(name) for name in ("SL2+", "SMM+")}
    return found["SMM+"] < found["SL2+"] / 2, _means(found)


def caches_matter(view: Results) -> Answer:
    """Section IV."""
    cached = min(view.mean("SL1"), view.mean("SL2+"))
    bare = max(view.mean(name) for name in _UNCACHED)
    return cached > 2 * bare, f"at least {_percent(cached)}; without at most {_percent(bare)}"


def useful_size_varies(view: Results) -> Answer:
    """Section III-C."""
    found = {}
    for name in view.programs:
        curve = _over_area(view, name)
        found[name] = next(area for area in AREAS if curve[area] >= 0.9 * max(curve.values()))
    said = ", ".join(f"{name} {area}" for name, area in found.items())
    return max(found.values()) >= 4 * min(found.values()), said


def aes_is_steep(view: Results) -> Answer:
    """Section III-C."""
    return _steep(view, "aes", 512, 2048)


def fft_is_steep(view: Results) -> Answer:
    """Section III-C."""
    return _steep(view, "fft", 32, 128)


def some_do_not_saturate(view: Results) -> Answer:
    """Section III-C."""
    half, full = AREAS[-2], AREAS[-1]
    growing = [
        name
        for name in view.programs
        if view.at(name, area=full).relative > 1.02 * view.at(name, area=half).relative
    ]
    return bool(growing), ", ".join(growing) or "none"


def moderate_efficiency(view: Results) -> Answer:
    """Sections III-D and IV."""
    found = [view.at(name, accelerator_cycles=Fraction(9, 10)).gains for name in view.programs]
    return sum(found) > len(found) / 2, f"{sum(found)} of {len(found)} programs"


def jpeg_falls(view: Results) -> Answer:
    """Section III-D."""
    slow, fast = (view.at("jpeg", accelerator_cycles=Fraction(k, 10)).relative for k in (9, 2))
    return fast < slow, f"{_percent(slow)} at 0.9; {_percent(fast)} at 0.2"


def casts_are_why(view: Results) -> Answer:
    """Section III-D."""
    falls, said = [], []
    for free, name in (("all", "free"), ("none", "at a cost")):
        slow, fast = (
            view.at("jpeg", accelerator_cycles=Fraction(k, 10), free_casts=free).relative
            for k in (9, 2)
        )
        falls.append(slow - fast)
        said.append(f"casts {name}: {_percent(slow)} at 0.9; {_percent(fast)} at 0.2")
    if falls[0] <= 0:
        return None, f"no fall to explain: {said[0]}"
    share = _percent(1 - falls[1] / falls[0]) if falls[1] > 0 else "all"
    said.append(f"casts explain {share} of the fall")
    return falls[1] < falls[0] / 2, "; ".join(said)


def jpeg_keeps(view: Results) -> Answer:
    """Section III-E."""
    near, far = (view.at("jpeg", factor=factor) for factor in (Fraction(1, 2), Fraction(64)))
    same = _alike(near, far)
    said = f"{_percent(near.relative)}, then {_percent(far.relative)}; {_percent(same)} of blocks"
    return far.relative > near.relative / 2 and same > 0.5, said


def jpeg_leaps(view: Results) -> Answer:
    """Section III-E."""
    nearer, near = (view.at("jpeg", factor=Fraction(1, k)).relative for k in (4, 2))
    return nearer > 1.5 * near, f"{_percent(near)} at 1/2; {_percent(nearer)} at 1/4"


def aes_needs_low_latency(view: Results) -> Answer:
    """Section III-E."""
    return _needs_low_latency(view, "aes")


def fft_needs_low_latency(view: Results) -> Answer:
    """Section III-E."""
    return _needs_low_latency(view, "fft")


def aes_has_nothing_yet(view: Results) -> Answer:
    """Section III-E."""
    return _nothing_yet(view, "aes")


def fft_has_nothing_yet(view: Results) -> Answer:
    """Section III-E."""
    return _nothing_yet(view, "fft")


def slow_interface(view: Results) -> Answer:
    """Section IV."""
    found = {name: view.at(name, factor=Fraction(64)).relative for name in view.programs}
    gaining = [name for name, relative in found.items() if relative > _LITTLE]
    return bool(gaining), ", ".join(gaining) or "none"


def optimistic_latency_pays(view: Results) -> Answer:
    """Section IV."""
    return _more(view, "at a factor of 1/16", lambda name: view.at(name, factor=Fraction(1, 16)))


def optimistic_efficiency_pays(view: Results) -> Answer:
    """Section IV."""
    fast = Fraction(1, 10)
    return _more(view, "with 0.1 cycles", lambda name: view.at(name, accelerator_cycles=fast))


def optimistic_area_pays(view: Results) -> Answer:
    """Section IV."""
    return _more(view, f"with {AREAS[-1]}", lambda name: view.at(name, area=AREAS[-1]))


def _more(view: Results, where: str, better: Callable[[str], Point]) -> Answer:
    """True if the mean speedup less 1 is half as much again where a parameter is optimistic."""
    before, after = ([look(name) for name in view.programs] for look in (view.at, better))
    gains = [sum(point.speedup - 1 for point in each) / len(each) for each in (before, after)]
    moved = sum(a.mapped != b.mapped for a, b in zip(before, after, strict=True))
    said = f"speedups {_percent(gains[0])}; {where}: {_percent(gains[1])}"
    return gains[1] > 1.5 * gains[0], f"{said}, {moved} of {len(before)} partitions differ"


def _needs_low_latency(view: Results, program: str) -> Answer:
    """Next to nothing where JPEG is said to keep its gain, and more at a sixteenth."""
    far, near = (view.at(program, factor=f).relative for f in (Fraction(64), Fraction(1, 16)))
    said = f"{_percent(far)} at 64; at 1/16: {_percent(near)}"
    return far < _LITTLE < near, said


def _nothing_yet(view: Results, program: str) -> Answer:
    now = view.at(program).relative
    return now < _LITTLE, _percent(now)


def _steep(view: Results, program: str, low: int, high: int) -> Answer:
    curve = _over_area(view, program)
    gained, most = curve[high] - curve[low], max(curve.values())
    return gained > most / 2 > 0, f"from {_percent(curve[low])} to {_percent(curve[high])}"


def _over_area(view: Results, program: str) -> dict[int, float]:
    return {area: view.at(program, area=area).relative for area in AREAS}


def _kept(view: Results, design: str) -> float:
    """Share of the mean relative speedup that is left with the penalty [1]."""
    before = view.mean(design)
    return view.mean(design, penalised=True) / before if before > 0 else 0.0


def _memory_bound(point: Point) -> float:
    return float(point.cpu_tm / point.cpu_te)


def _alike(first: Point, second: Point) -> float:
    """Blocks that both have, of those that one has [1]."""
    either = {*first.mapped} | {*second.mapped}
    return len({*first.mapped} & {*second.mapped}) / len(either) if either else 1.0


def _means(found: dict[str, float]) -> str:
    return ", ".join(f"{name} {_percent(mean)}" for name, mean in found.items())


def _named(names: tuple[str, ...], gains: list[float]) -> str:
    return ", ".join(f"{n} {_percent(gain)}" for n, gain in zip(names, gains, strict=True))


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
