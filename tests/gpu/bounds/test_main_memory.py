"""What L2 keeps between launches and waves, against an LRU cache of arrays streamed through."""

from collections import OrderedDict

import numpy as np
import pytest

from logca.gpu.bounds.main_memory import traffic
from logca.gpu.stages.unit_bounds import ArrayBytes


def streamed(launches: list[list[str]], sizes: dict[str, int], capacity: int) -> int:
    """Pieces that the last launch misses in an LRU cache; its arrays are gone through abreast."""
    cache: OrderedDict[tuple[str, int], None] = OrderedDict()
    missed = 0
    for arrays in launches:
        missed = 0
        for place in range(1000):
            for name in arrays:
                piece = (name, place * sizes[name] // 1000)
                if piece in cache:
                    cache.move_to_end(piece)
                    continue
                missed += 1
                cache[piece] = None
                if len(cache) > capacity:
                    cache.popitem(last=False)
    return missed


@pytest.mark.parametrize(
    "launches",
    [["A"], ["A", "A"], ["AB", "BC"], ["AB", "C", "A"], ["AB", "C", "AC"], ["A", "BC", "A"]],
)
@pytest.mark.parametrize("capacity", [700, 1300, 1700, 2600, 4000])
def test_launches_find_what_an_lru_cache_still_has(launches: list[str], capacity: int) -> None:
    sizes = {"A": 1000, "B": 500, "C": 800}
    missed = streamed([list(each) for each in launches], sizes, capacity)
    arrays = [
        [ArrayBytes(name=name, read=float(sizes[name]), written=0.0, wave=0.0) for name in launch]
        for launch in launches
    ]
    found = traffic(arrays[-1], arrays[:-1], l2_size=capacity / 0.95, waves=1.0)
    # arrays come and go as a whole here, in pieces there
    assert found.read == pytest.approx(missed, abs=520)
    if missed in (0, sum(sizes[name] for name in launches[-1])):
        distance_is_clear = abs(capacity - sum(sizes.values())) > 400
        assert not distance_is_clear or found.read == missed


def test_waves_read_again_what_l2_cannot_hold_between_them() -> None:
    table = [ArrayBytes(name="B", read=1e6, written=0.0, wave=1e6)]
    assert traffic(table, [], l2_size=2e6, waves=10).read == 1e6
    half = traffic(table, [], l2_size=0.5e6 / 0.95, waves=10).read
    assert half == pytest.approx(1e6 + 9e6 / 2)
    none = traffic(table, [], l2_size=1.0, waves=10).read
    assert none == pytest.approx(1e7, rel=1e-3)


@pytest.mark.parametrize("capacity", [40, 120, 300, 900, 1400])
@pytest.mark.parametrize("streamed_by", [0, 1])
def test_a_gather_reads_again_what_an_lru_cache_has_lost(capacity: int, streamed_by: int) -> None:
    """Random reads of an array, beside a stream that is read once, against an LRU cache."""
    sectors, waves, each = 500, 40, 100
    draw = np.random.default_rng(capacity)
    cache: OrderedDict[tuple[str, int], None] = OrderedDict()
    missed, seen, in_waves, place = 0, set(), [], 0
    for _ in range(waves):
        places = draw.integers(0, sectors, each).tolist()
        in_waves.append(len({*places}))
        for own in places:
            seen.add(own)
            wanted = [("a", own), *(("x", place) for _ in range(streamed_by))]
            place += 1
            for piece in wanted:
                missed += piece not in cache and piece[0] == "a"
                cache[piece] = None
                cache.move_to_end(piece)
                if len(cache) > capacity:
                    cache.popitem(last=False)
    stream = float(waves * each * streamed_by)
    arrays = [
        ArrayBytes(
            name="a",
            read=float(len(seen)),
            written=0.0,
            wave=float(np.mean(in_waves)),
            choice=sectors * (1 + 1e-9),
        ),
        ArrayBytes(name="x", read=stream, written=0.0, wave=stream / waves),
    ]
    found = traffic(arrays, [], l2_size=capacity / 0.95, waves=waves)
    assert found.read - stream == pytest.approx(missed, rel=0.12)


@pytest.mark.parametrize("capacity", [40, 120, 300, 900, 1400])
def test_a_scatter_writes_again_what_an_lru_cache_had_to_write_back(capacity: int) -> None:
    """Random stores, each of a value that is read before, against an LRU cache of dirty pieces."""
    sectors, waves, each = 500, 40, 100
    draw = np.random.default_rng(capacity)
    places = draw.integers(0, sectors, (waves, each))
    cache: OrderedDict[tuple[str, int], None] = OrderedDict()
    written_back = 0
    for number, own in enumerate(places.ravel().tolist()):
        for piece in (("x", number), ("b", own)):
            cache[piece] = None
            cache.move_to_end(piece)
            if len(cache) > capacity:
                written_back += cache.popitem(last=False)[0][0] == "b"
    written_back += sum(name == "b" for name, _ in cache)
    arrays = [
        ArrayBytes(
            name="b",
            read=0.0,
            written=float(len(np.unique(places))),
            wave=0.0,
            written_wave=float(np.mean([len(np.unique(wave)) for wave in places])),
            written_choice=sectors * (1 + 1e-9),
        ),
        ArrayBytes(name="x", read=float(waves * each), written=0.0, wave=float(each)),
    ]
    found = traffic(arrays, [], l2_size=capacity / 0.95, waves=waves)
    assert found.written == pytest.approx(written_back, rel=0.12)


def test_a_gather_reads_an_array_once_that_fits_l2() -> None:
    table = ArrayBytes(name="a", read=1e6, written=0.0, wave=4e5, choice=1e6)
    assert traffic([table], [], l2_size=2e6, waves=50).read == 1e6
    less = [traffic([table], [], l2_size=room, waves=50).read for room in (1.0, 2e5, 6e5, 1.2e6)]
    assert less == sorted(less, reverse=True)
    assert less[0] == pytest.approx(50 * 4e5, rel=1e-3)


def test_what_is_written_is_written_unless_l2_keeps_it() -> None:
    out = [ArrayBytes(name="C", read=0.0, written=1e6, wave=0.0)]
    assert traffic(out, [], l2_size=4e6, waves=1).written == 1e6
    assert traffic(out, [out], l2_size=4e6, waves=1).written == 0.0
