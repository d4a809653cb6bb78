"""The lemmas on real powers and logarithms that the deciding engine itself uses."""

from logca.proofs.claims.claim import Claim

__all__ = ["CLAIMS"]

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="lemma-power-monotone",
        source="logca2026, lemmas; hardy1934, §2.4",
        statement="A power with a positive exponent grows with its base.",
        asserts=("diff(x**beta, x) > 0",),
        argument="By the mean value theorem x < y if, and only if, x**beta < y**beta. For a "
        "negative exponent take reciprocals.",
    ),
    Claim(
        id="lemma-power-slope",
        source="logca2026, lemmas",
        statement="A power over its base grows with the base for exponents above one, falls for "
        "exponents below one.",
        given=("beta != 1",),
        asserts=("(beta - 1)*diff(x**beta/x, x) > 0",),
        argument="Mean value theorem; negative exponents are below one and covered by "
        "lemma-power-monotone, as x**beta/x is then the product of two falling functions.",
    ),
    Claim(
        id="lemma-power-tangent",
        source="logca2026, lemmas; weighted means as in hardy1934, §2.5",
        statement="A power is strictly convex for exponents above one, strictly concave below.",
        given=("beta != 1",),
        asserts=("(beta - 1)*diff(x**beta, x, 2) > 0",),
        argument="A strictly convex function lies above each of its tangents except where it "
        "touches. For beta below one that is the inequality of weighted means.",
    ),
    Claim(
        id="lemma-power-product",
        source="logca2026, lemmas",
        statement="The power of a product is the product of the powers, and powers to exponents "
        "that add up multiply.",
        asserts=(
            "log((x*y)**beta) == log(x**beta) + log(y**beta)",
            "log(x**(beta + s)) == log(x**beta) + log(x**s)",
            "log((x**beta)**s) == log(x**(beta*s))",
        ),
        argument="Powers are exp(beta*log(x)) by definition, so these are the functional "
        "equations of exponential function and logarithm.",
    ),
    Claim(
        id="lemma-log-monotone",
        source="logca2026, lemmas",
        statement="The logarithm grows.",
        asserts=("diff(log(x), x) > 0",),
        argument="By the mean value theorem x < y if, and only if, log(x) < log(y).",
    ),
    Claim(
        id="lemma-log-tangent",
        source="logca2026, lemmas",
        statement="The logarithm is strictly concave.",
        asserts=("diff(log(x), x, 2) < 0",),
        argument="So it lies below each of its tangents except where it touches.",
    ),
)
