"""Claims whose truth is known without the prover: by arithmetic, by calculus, or by the model.

Each is a claim, its hypotheses, and whether it is true.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

Known = tuple[str, list[str], bool]

CONSTANT, LINEAR = "latency == constant", "latency == linear"
PAYS = [CONSTANT, "A > 1", "o > 0"]


def powers() -> Iterator[Known]:
    """Fractions of powers: the larger exponent decides."""
    for p, q in product(("1/2", "1", "2"), repeat=2):
        top, bottom = Fraction(p), Fraction(q)
        value = "0" if top < bottom else "3/2" if top == bottom else "oo"
        yield f"limit(3*g**({p})/(2*g**({q}) + 1), g, oo) == {value}", [], True
        yield f"limit(3*g**({p})/(2*g**({q}) + 1), g, oo) == 1", [], False
        small = "0" if top > bottom else "3/2" if top == bottom else "oo"
        yield f"limit(3*g**({p})/(2*g**({q}) + g**5), g, 0) == {small}", [], True
    for sign, value in (("> 1", "oo"), ("== 1", "C/L"), ("< 1", "0")):
        yield f"limit(C*g**beta/(L*g), g, oo) == {value}", [f"beta {sign}", "L > 0"], True
    for sign, value in (("> 1", "0"), ("< 1", "oo")):
        yield f"limit(C*g**beta/(L*g), g, 0) == {value}", [f"beta {sign}", "L > 0"], True


def transcendental() -> Iterator[Known]:
    """Logarithms grow slower than powers, and these slower than exponentials."""
    for claim in (
        *("log(g)/g, g, oo) == 0", "log(g)/g**beta, g, oo) == 0", "g*log(g), g, 0) == 0"),
        *("log(g)**3/g, g, oo) == 0", "g**beta/exp(g), g, oo) == 0", "exp(g)/g**A, g, oo) == oo"),
        *("log(g), g, oo) == oo", "log(g), g, 0) == -oo", "log(1 + g)/log(g), g, oo) == 1"),
        *("(1 + 1/g)**g, g, oo) == exp(1)", "g**(1/g), g, oo) == 1", "log(1 + A*g)/g, g, 0) == A"),
        *("sqrt(g)/log(g), g, oo) == oo", "exp(-g), g, oo) == 0", "log(log(g + 3)), g, oo) > 0"),
        *("g**beta*log(g), g, 0) == 0", "(1 + A/g)**g, g, oo) == exp(A)", "2**g/3**g, g, oo) == 0"),
        *("2**g/g**100, g, oo) == oo", "log(g)/log(2*g), g, oo) == 1", "exp(1/g), g, oo) == 1"),
    ):
        yield f"limit({claim}", [], True
    for claim in (
        *("log(g)/g, g, oo) == 1", "log(g)/g, g, oo) > 0", "g**A/exp(g), g, oo) == oo"),
        *("(1 + 1/g)**g, g, oo) == 1", "log(g), g, oo) < 5", "exp(-g), g, oo) > 0"),
        *("g**(1/g), g, oo) == 0", "sqrt(g)/log(g), g, oo) == 0", "log(g), g, 0) == 0"),
    ):
        yield f"limit({claim}", [], False


def limits_of_the_model() -> Iterator[Known]:
    """Limits of times, speedups and roots."""
    for claim, given in (
        ("limit(speedup, g, oo) == A", [CONSTANT]),
        ("limit(speedup, g, oo) == A", ["beta > 1"]),
        ("limit(speedup, g, oo) <= A", []),
        ("limit(speedup, g, oo) < A", [LINEAR, "beta == 1", "L > 0"]),
        ("limit(speedup, g, oo) == 0", [LINEAR, "beta < 1", "L > 0"]),
        ("limit(speedup, g, 0) == 0", ["o > 0"]),
        ("limit(speedup, A, oo) == C*g**beta/(o + L)", [CONSTANT, "o + L > 0"]),
        ("limit(speedup, A, oo) == C*g**beta/(o + L*g)", [LINEAR, "o > 0"]),
        ("limit(speedup, o, oo) == 0", []),
        ("limit(speedup, L, oo) == 0", []),
        ("limit(speedup, C, oo) == A", []),
        ("limit(speedup, C, 0) == 0", ["o > 0"]),
        ("limit(speedup, beta, oo) == A", ["g > 1"]),
        ("limit(T0, g, oo) == oo", []),
        ("limit(T1, g, oo) == oo", []),
        ("limit(T0, g, 0) == 0", []),
        ("limit(T1, g, 0) == o + L", [CONSTANT]),
        ("limit(T1, g, 0) == o", [LINEAR]),
        ("limit(T1, A, oo) == o + L", [CONSTANT]),
        ("limit(T1/T0, g, oo) == 1/A", [CONSTANT]),
        ("limit(g1, A, oo) == ((o + L)/C)**(1/beta)", [CONSTANT]),
        ("limit(g1, A, oo) == (o + L)/C", [CONSTANT, "beta == 1"]),
        ("limit(g1, o, oo) == oo", [CONSTANT, "A > 1"]),
        ("limit(g1, C, oo) == 0", PAYS),
        ("limit(g1, L, oo) == oo", PAYS),
        ("limit(gA2, A, oo) == oo", [CONSTANT, "o + L > 0"]),
        ("limit(speedup, g, oo) > 1", ["A > 1", CONSTANT]),
        ("limit(T0 - T1, g, oo) == oo", ["A > 1", CONSTANT]),
    ):
        yield claim, given, True
    for claim, given in (
        ("limit(speedup, g, oo) == A", ["beta >= 1"]),
        ("limit(speedup, g, oo) == A", [LINEAR]),
        ("limit(speedup, g, oo) == 0", [CONSTANT]),
        ("limit(speedup, g, oo) > A", []),
        ("limit(speedup, g, oo) == A/2", ["beta > 1"]),
        ("limit(g1, A, oo) == (o + L)/C", [CONSTANT]),
        ("limit(g1, A, oo) == 0", PAYS),
        ("limit(T0/T1, g, oo) == oo", [CONSTANT]),
        ("limit(T1, g, 0) == 0", ["o > 0"]),
        ("limit(speedup, A, oo) == oo", ["o > 0"]),
        ("limit(T1, A, oo) == o", [CONSTANT, "L > 0"]),
        ("limit(gA2, A, oo) == 0", [CONSTANT, "o + L > 0"]),
    ):
        yield claim, given, False


def bases_of_zero() -> Iterator[Known]:
    """A power of zero is zero, whatever its exponent tends to."""
    for claim in (
        *("limit(o**beta, beta, 0) == 1", "limit(o**(1/beta), beta, oo) == 1"),
        *("limit(o**g, g, 0) == 1", "limit((o*L)**beta, beta, 0) == 1"),
        *("limit((o + L)**beta, beta, 0) > 0", "limit(2*o**beta, beta, 0) == 2"),
        *("limit((o/(o + 1))**beta, beta, 0) == 1", "limit((o*g)**g, g, 0) == 1"),
    ):
        yield claim, [], False
    for claim, given in (
        ("limit(o**beta, beta, 0) == 1", ["o > 0"]),
        ("limit(o**beta, beta, 0) == 0", ["o == 0"]),
        ("limit((A - 1)**beta, beta, 0) == 1", ["A > 1"]),
        ("limit(exp(o*g), g, oo) >= 1", []),
    ):
        yield claim, given, True


def cases() -> Iterator[Known]:
    """Statements that need cases, or whose border decides."""
    for claim, given in (
        *(("log(x) <= x - 1", []), ("max(A, 1) >= A", []), ("min(A, 1) <= 1", [])),
        *(("abs(A - 1) >= 0", []), ("max(x, y) == (x + y + abs(x - y))/2", [])),
        *(("min(x, y)*max(x, y) == x*y", []), ("abs(x*y) == x*y", []), ("x + 1/x >= 2", [])),
        *(("x**y >= 1", ["x >= 1"]), ("2**beta >= 1 + beta", ["beta >= 1"])),
        *(("A**beta >= A", ["A >= 1", "beta >= 1"]), ("A**beta <= A", ["A >= 1", "beta <= 1"])),
        *(("implies(beta == 1, g**beta == g)", []), ("iff(x > 1, log(x) > 0)", [])),
        *(("iff(x > 1, x**beta > 1)", []), ("x < 1 or x**2 >= x", []), ("exp(x) > 1 + x", [])),
        *(("speedup <= A", []), ("speedup < A", [CONSTANT, "o + L > 0"])),
        *(("g1 < gA2", [CONSTANT, "A > 2"]), ("g1 == gA2", [CONSTANT, "A == 2"])),
        *(("g1 > gA2", [CONSTANT, "A > 1", "A < 2"]), ("g1 >= 1", [*PAYS, "o + L >= C"])),
        *(
            ("not exists(g1)", ["A <= 1"]),
            ("exists(g1)", PAYS),
            ("entropy <= log(2)", ["beta < 1"]),
        ),
        *(("sqrt(x*y) <= (x + y)/2", []), ("x**2 + y**2 >= 2*x*y", [])),
        *(("log(x) > 0 or x <= 1", []), ("implies(x > y, x**beta > y**beta)", [])),
        *(
            ("iff(speedup > 1, T0 > T1)", []),
            ("iff(A > 2, gA2 > g1)", [CONSTANT, "A > 1", "o > 0"]),
        ),
    ):
        yield claim, given, True
    for claim, given in (
        *(("log(x) < x - 1", []), ("max(A, 2) > A", []), ("abs(A - 1) > 0", [])),
        *(("x + 1/x > 2", []), ("x**y > 1", ["x >= 1"]), ("2**beta >= 1 + beta", [])),
        *(("A**beta > A", ["beta > 1"]), ("iff(x > 2, log(x) > 0)", []), ("exp(x) > 1 + 2*x", [])),
        *(("speedup < A", []), ("g1 < gA2", []), ("g1 >= 1", PAYS), ("speedup > 1", ["A > 1"])),
        *(("sqrt(x*y) < (x + y)/2", []), ("x**beta > y**beta", []), ("g1 > 0 and A > 2", PAYS)),
        *(("iff(A > 3, gA2 > g1)", [CONSTANT, "A > 1", "o > 0"]), ("x <= y or y < x/2", [])),
        *(("log(x)*log(y) >= 0", []), ("x**2 >= x", []), ("T1 <= T0", ["A > 1"])),
    ):
        yield claim, given, False


def points() -> Iterator[Known]:
    """Models at one size, by exact arithmetic."""
    for o, L, C, A, root in product((10, 300), (0, 7), (2, 5), (4, 9), (3, 20)):
        g = root * root
        for beta, power in (("1", g), ("1/2", root), ("3/2", root**3)):
            exact = Fraction(C * power) / (o + L + Fraction(C * power, A))
            if (o + L + C + A + root + power) % 7:  # a seventh of them
                continue
            given = [CONSTANT, f"o == {o}", f"L == {L}", f"C == {C}", f"A == {A}", f"g == {g}"]
            given.append(f"beta == {beta}")
            yield f"speedup == {exact.numerator}/{exact.denominator}", given, True
            yield f"speedup > {exact.numerator}/{exact.denominator}", given, False
            yield f"speedup < {exact.numerator + 1}/{exact.denominator}", given, True
    for claim, truth in (
        *(("log(8) == 3*log(2)", True), ("log(6) == log(2) + log(3)", True)),
        *(("sqrt(2)*sqrt(3) == sqrt(6)", True), ("2**(1/2) < 3/2", True), ("exp(1) > 2.718", True)),
        *(("log(3)/log(2) > 3/2", True), ("4**(3/2) == 8", True), ("log(9)/log(3) == 2", True)),
        *(("sqrt(2) + sqrt(3) > 3.15", False), ("log(2) > 0.7", False), ("exp(2) < 7", False)),
        *(("log(8) == 2*log(2)", False), ("sqrt(2) == 1.4142", False), ("3**(1/2) > 2", False)),
    ):
        yield claim, [], truth


def nested() -> Iterator[Known]:
    """Quantities inside of quantities, and their derivatives."""
    for claim, given in (
        *(("speedup(g=g1) == 1", []), ("speedup(g=gA2) == A/2", []), ("T0(g=g1) == T1(g=g1)", [])),
        *(
            ("speedup(g=2*g) >= speedup", [CONSTANT]),
            ("speedup(g=2*g) <= 2*speedup", ["beta <= 1"]),
        ),
        *(("speedup(A=2*A) >= speedup", []), ("speedup(A=2*A) <= 2*speedup", [])),
        *(("speedup(o=2*o) <= speedup", []), ("speedup(C=2*C) <= 2*speedup", [])),
        *(("T0(g=2*g) == 2**beta*T0", []), ("T1(A=2*A) <= T1", []), ("T1(A=2*A) >= T1/2", [])),
        *(("g1(o=2*o) >= g1", PAYS), ("g1(C=2*C) <= g1", PAYS), ("g1(A=2*A) <= g1", PAYS)),
        *(("g1(o=2*o, L=2*L) == 2*g1", [*PAYS, "beta == 1"]), ("gA2(A=2*A) > gA2", PAYS)),
        *(("g1(o=r*o, L=r*L, C=r*C) == g1", [*PAYS, "r > 0"]), ("speedup(g=1) <= C/(o + L)", PAYS)),
        *(("speedup(o=r*o, L=r*L, C=r*C) == speedup", ["r > 0"]), ("T1(o=0, L=0) == T0/A", [])),
        *(("diff(speedup, A) > 0", []), ("diff(speedup, o) < 0", []), ("diff(T0, g) > 0", [])),
        *(("diff(speedup, g) > 0", PAYS), ("diff(diff(T0, g), g) > 0", ["beta > 1"])),
        *(("diff(g1, o) > 0", PAYS), ("diff(g1, C) < 0", PAYS), ("diff(g1, A) < 0", PAYS)),
        *(("diff(log(g), g) == 1/g", []), ("diff(g**beta, g) == beta*g**(beta - 1)", [])),
        *(("diff(exp(2*x), x) == 2*exp(2*x)", []), ("diff(x*log(x), x) == log(x) + 1", [])),
        *(("speedup(g=speedup(g=1)) <= A", []), ("speedup(g=g1(A=2*A)) < 1", PAYS)),
        *(("speedup(A=speedup) <= speedup", []), ("g1(A=A*A) <= g1", PAYS)),
    ):
        yield claim, given, True
    for claim, given in (
        *(
            ("speedup(g=g1) > 1", []),
            ("speedup(g=2*g) >= speedup", []),
            ("diff(speedup, g) > 0", []),
        ),
        *(
            ("speedup(A=2*A) == 2*speedup", []),
            ("g1(o=2*o) == 2*g1", PAYS),
            ("T1(A=2*A) < T1/2", []),
        ),
        *(("speedup(g=2*g) <= 2*speedup", [CONSTANT]), ("g1(A=2*A) == g1/2", PAYS)),
        *(("gA2(A=2*A) == 2*gA2", PAYS), ("diff(speedup, C) < 0", []), ("diff(T1, A) > 0", [])),
        *(("speedup(g=g1(A=2*A)) >= 1", PAYS), ("diff(diff(T0, g), g) > 0", [])),
        *(
            ("T0(g=2*g) == 2*T0", []),
            ("speedup(g=1) > C/(o + L)", PAYS),
            ("g1(C=2*C) == g1/2", PAYS),
        ),
    ):
        yield claim, given, False


def identities() -> Iterator[Known]:
    """Powers, logarithms and exponentials."""
    for claim in (
        *("sqrt(x)*sqrt(x) == x", "log(x*y) == log(x) + log(y)", "log(x**2) == 2*log(x)"),
        *("exp(log(x)) == x", "log(exp(x)) == x", "(x*y)**beta == x**beta*y**beta"),
        *("log(x/y) == log(x) - log(y)", "x**(y + 1) == x*x**y", "(x**y)**2 == x**(2*y)"),
        *("exp(x + y) == exp(x)*exp(y)", "(x + y)**2 == x**2 + 2*x*y + y**2", "x**0 == 1"),
        *("(x - y)*(x + y) == x**2 - y**2", "1/(1/x) == x", "x/y*y == x", "sqrt(x**2) == x"),
        *("x**beta/x == x**(beta - 1)", "log(1/x) == -log(x)", "2*log(x) - log(x**2) == 0"),
        *("T1 == o + L + T0/A", "speedup == T0/T1", "1/speedup == (o + L)/T0 + 1/A"),
    ):
        yield claim, [CONSTANT], True
    for claim in (
        *("log(x + y) == log(x) + log(y)", "sqrt(x + y) == sqrt(x) + sqrt(y)", "x**y == y**x"),
        *("(x + y)**beta == x**beta + y**beta", "exp(x*y) == exp(x)*exp(y)", "x - y == y - x"),
        *("log(x)*log(y) == log(x*y)", "x/(y + 1) == x/y + x", "T1 == o + T0/A", "1/x == x"),
    ):
        yield claim, [CONSTANT], False


def derivatives() -> Iterator[Known]:
    """Derivatives by the rules of calculus, also where the rule's own formula has no value."""
    for claim, truth in (
        ("diff(x**beta, x) == beta*x**(beta - 1)", True),
        ("diff(exp(2*x), x) == 2*exp(2*x)", True),
        ("diff(log(x), x)*x == 1", True),
        ("diff(x**2*y, x) - 2*x*y == 0", True),
        ("diff(1/x, x) == -1/x**2", True),
        ("diff(sqrt(x), x) > 0", True),
        ("exists(diff(x**2, x))", True),
        ("diff(x*y, x) == x", False),
        ("diff(log(x*y), x) == 1/(x*y)", False),
        ("diff(x**x, x) == x*x**(x - 1)", False),
    ):
        yield claim, [CONSTANT], truth


ALL: list[Known] = [
    *powers(),
    *transcendental(),
    *limits_of_the_model(),
    *bases_of_zero(),
    *cases(),
    *points(),
    *nested(),
    *identities(),
    *derivatives(),
]
