"""The toolbox of examples/partition agrees with Python's library, zlib and networkx."""

import base64
import json
import re
import struct
import zlib
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from functools import reduce
from itertools import pairwise
from math import factorial, gcd
from pathlib import Path
from typing import Any

import pytest

from logca import trace

for package in ("llvmlite", "ziglang"):
    pytest.importorskip(package, reason="pip install 'logca[trace]'")
nx = pytest.importorskip("networkx", reason="pip install 'logca[trace]'")

TOOLBOX = Path(__file__).parents[2] / "examples" / "partition" / "toolbox.c"
Printed = dict[str, list[str]]


@pytest.fixture(scope="module", params=[300, 47])
def size(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture(scope="module")
def printed(size: int) -> Printed:
    """The words after the name of each line; regular expressions by their own text."""
    macros = {"SIZE": size, "PRINT_INPUTS": None}
    run = trace.profile(TOOLBOX, defines=macros, accesses=False).run
    assert (run.status, run.message, run.stderr) == (0, "", b"")
    lines = (line.split(" ", 3) for line in run.stdout.decode().splitlines())
    return {
        line[3] if line[0] == "regex" else line[0]: " ".join(line[1:]).split(" ") for line in lines
    }


def fnv(data: bytes) -> str:
    return f"{reduce(lambda h, byte: (h ^ byte) * 16777619 % 2**32, data, 2166136261):08x}"


def words(values: list[int]) -> bytes:
    return struct.pack(f"<{len(values)}I", *values)


def draws(seed: int) -> Iterator[int]:
    while True:
        seed = (seed * 1664525 + 1013904223) % 2**32
        yield seed >> 8


def shown(printed: Printed, name: str) -> bytes:
    return bytes.fromhex(printed[name][0])


def test_sorting(size: int, printed: Printed) -> None:
    source, count = draws(11), 4 * size
    drawn = [next(source) % (3 * count) * (1 if i % 2 else 12345) for i in range(count)]
    ranks = sum(sum(other < value // 2 for other in drawn) for value in drawn)
    assert printed["sorting"] == [fnv(words(sorted(drawn))), str(ranks)]


def test_tree(size: int, printed: Printed) -> None:
    source, kept, hits = draws(22), Counter[int](), 0
    for _ in range(4 * size):
        key, what = next(source) % size, next(source) % 8
        if what < 4:
            kept[key] += what + 1
        elif what < 6:
            del kept[key]
        else:
            hits += key in kept
    pairs = [number for item in sorted(kept.items()) for number in item]
    assert printed["tree"] == [fnv(words(pairs)), str(len(kept)), str(hits)]


def test_numbers(printed: Printed) -> None:
    a, (b, after) = factorial(150), (0, 1)
    for _ in range(900):
        b, after = after, b + after
    source = draws(33)
    limbs: list[list[int]] = [[0] * 4, [0] * 4, [0] * 2]
    for i in range(4):
        limbs[0][i] = next(source) % 2**24 | 0x80000000
        limbs[1][i] = next(source) % 2**24 | 0x80000001
        limbs[2][i % 2] = next(source) % 2**24 + 1
    base, modulus, exponent = (sum(d << 32 * i for i, d in enumerate(limb)) for limb in limbs)
    expected = {
        "factorial": a,
        "fibonacci": b,
        "quotient": a // b,
        "remainder": a % b,
        "divisor": gcd(a, b),
        "difference": a - b,
        "power": pow(base, exponent, modulus),
    }
    assert {name: int(printed[name][0]) for name in expected} == expected


def test_graph(size: int, printed: Printed) -> None:
    source, graph = draws(44), nx.MultiDiGraph()
    graph.add_nodes_from(range(size))
    for _ in range(4 * size):
        start, to = next(source) % size, next(source) % size
        if next(source) % 4 == 0:
            to = (start + 1) % size
        graph.add_edge(start, to, weight=1 + next(source) % 1000)
    distances: list[int] = []
    for start in range(3):
        lengths = nx.single_source_dijkstra_path_length(graph, start)
        distances += [lengths.get(node, 0x7FFFFFFF) for node in range(size)]
    assert printed["paths"] == [fnv(words(distances))]
    forest = nx.minimum_spanning_tree(graph.to_undirected()).size("weight")
    trees = nx.number_weakly_connected_components(graph)
    assert printed["forest"] == [str(int(forest)), str(trees)]
    order = nx.condensation(nx.DiGraph(graph))
    parts = [str(len(order)), str(nx.dag_longest_path_length(order))]
    assert printed["components"] == parts


def edit_distance(a: bytes, b: bytes) -> int:
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        following = [i]
        for j, y in enumerate(b, 1):
            following.append(min(row[j] + 1, following[-1] + 1, row[j - 1] + (x != y)))
        row = following
    return row[-1]


def test_text(printed: Printed) -> None:
    data = shown(printed, "input-words")
    text = data.decode()
    assert {len(letter.encode()) for letter in text} == {1, 2, 3, 4}
    weighted = sum(ord(letter) * i for i, letter in enumerate(text, 1)) % 2**32
    assert printed["points"] == [str(len(text)), str(weighted)]
    assert printed["base64"] == [fnv(base64.b64encode(data)), f"{zlib.crc32(data):08x}"]
    found = [len(re.findall(f"(?={pattern})", text)) for pattern in ("éé", "ks")]
    assert printed["found"] == [str(times) for times in found]
    every = re.split(rb"[ \n]", data)[:-1]
    counts = Counter(every)
    distances = sum(edit_distance(a, b) for a, b in pairwise(every))
    expected = [len(counts), counts.most_common(1)[0][1], distances]
    assert printed["words"] == [str(number) for number in expected]


def canonical(value: Any) -> str:
    if isinstance(value, Decimal):
        return format(value.normalize(), "f")
    if isinstance(value, list):
        return f"[{','.join(map(canonical, value))}]"
    if isinstance(value, dict):
        pairs = (f"{json.dumps(name)}:{canonical(value[name])}" for name in sorted(value))
        return f"{{{','.join(pairs)}}}"
    return json.dumps(value)


def measured(value: Any) -> tuple[Decimal, int]:
    """The sum of all numbers, and the depth."""
    if isinstance(value, Decimal):
        return value, 1
    members = value.values() if isinstance(value, dict) else value
    below = [measured(member) for member in members] if isinstance(value, dict | list) else []
    return sum((each[0] for each in below), Decimal()), 1 + max(
        (each[1] for each in below), default=0
    )


def test_json(printed: Printed) -> None:
    document = json.loads(shown(printed, "input-json"), parse_int=Decimal, parse_float=Decimal)
    total, depth = measured(document)
    digest = fnv(canonical(document).encode("ascii"))
    expected = [digest, len(document), int(total * 10000), depth]
    assert printed["json"] == [str(each) for each in expected]
    assert depth >= 4


def test_regular_expressions(printed: Printed) -> None:
    """A $ is the end of the text to the toolbox, the end of the last line to Python."""
    text = shown(printed, "input-log").decode("ascii")
    source = (TOOLBOX.parent / "toolbox_regex_search.h").read_text()
    listed = re.search(r"expressions\[\] = \{(.*?)\};", source, re.DOTALL)
    assert listed is not None
    expressions = [json.loads(quoted) for quoted in re.findall(r'"(?:\\.|[^"])*"', listed[1])]
    assert len(expressions) == 15
    times = 0
    for expression in expressions:
        pattern = re.compile(expression.replace("$", r"\Z"), re.ASCII)
        spans = [place for match in pattern.finditer(text) for place in match.span()]
        times += len(spans) // 2
        found = [fnv(words(spans)), str(len(spans) // 2)]
        assert printed[expression][:2] == found, expression
    assert times > 100


def test_deflate(size: int, printed: Printed) -> None:
    packed = shown(printed, "packed")
    data = zlib.decompress(packed, wbits=-15)
    assert printed["deflate"] == [str(len(data)), f"{zlib.crc32(data):08x}"]
    assert b"of the " in data
    assert len(data) >= 20 * size
    assert data[11 * size : 14 * size] in packed  # noise is stored


def wrapped(value: int) -> int:
    return (value + 2**31) % 2**32 - 2**31


def steps(k: int) -> int:
    return 0 if k == 1 else 1 + steps(3 * k + 1 if k % 2 else k // 2)


def test_script(size: int, printed: Printed) -> None:
    primes = sum(all(n % d for d in range(2, n)) for n in range(2, size))
    most = max([1, *range(2, size, 7)], key=steps)
    seed, drawn = 1, []
    for _ in range(size):
        seed = wrapped(seed * 1103515245 + 12345)
        drawn.append(seed >> 16)
    ordered = reduce(lambda h, x: wrapped(h * 31) ^ x, sorted(drawn), 0)
    a, b = ([f(i) for i in range(36)] for f in (lambda i: i * i % 11 - 3, lambda i: 7 - i * 5 % 13))
    product = [sum(a[i - i % 6 + k] * b[6 * k + i % 6] for k in range(6)) for i in range(36)]
    matrix = reduce(lambda h, x: wrapped(h * 33 + x), product, 0)
    # four ways for six queens (A000170), the thirteenth Fibonacci number, 2 * 3 + 3 of Ackermann
    expected = [primes, most, 4, ordered, gcd(1071, 462 * 5), 233, 9, matrix]
    assert printed["script"] == [str(each) for each in expected]


def test_expressions_of_scripts(printed: Printed) -> None:
    """C's division truncates; its comparisons are numbers, and do not chain."""
    p, q = -7, 3
    expected = [
        int(p / q),
        p - q * int(p / q),
        (p * q - 2) << 3,
        p >> 1,
        (p & q) | (8 ^ 2),
        int((not p) == 0),
        ~p + -q,
        (int(p < q) and q) or 5,
        int(p > q) or int(q == 3),
        (p + q) * (p - q) // 2,
        wrapped(1 << 31),
        p - q - 1,
        int(p != q) & 1,
        int(p <= -7) and int(q >= 4),
        2147483647 % q * p,
    ]
    assert printed["expressions"] == [str(each) for each in expected]
