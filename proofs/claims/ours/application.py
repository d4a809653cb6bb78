"""Theorems of ours: whole applications of which the kernel is a part."""

from logca.proofs.claims.claim import Claim

__all__ = ["CLAIMS"]

_SOURCE = "logca2026, whole applications"

CLAIMS: tuple[Claim, ...] = (
    Claim(
        id="ext-amdahl-closure-law",
        source=_SOURCE,
        statement="A kernel with the fraction f of the host time speeds the application up by "
        "Amdahl's law.",
        given=("f <= 1", "latency == affine"),
        asserts=(
            "speedup_application == 1/(1 - f + f/speedup)",
            "speedup_application(f=1) == speedup",
            "speedup_application == (T0/f)/(T0/f - T0 + T1)",
        ),
    ),
    Claim(
        id="ext-amdahl-closure-model",
        source=_SOURCE,
        statement="That is the same model with the acceleration 1/((1 - f) + f/A) and the "
        "computational index C/f.",
        given=("f <= 1", "latency == affine"),
        asserts=(
            "application_ceiling == 1/((1 - f) + f/A)",
            "speedup_application == speedup(A=application_ceiling, C=C/f)",
            "speedup_application <= application_ceiling",
        ),
    ),
    Claim(
        id="ext-amdahl-closure-break-even",
        source=_SOURCE,
        statement="The break-even granularity of the application is that of its kernel.",
        given=("exists(g1)", "f <= 1"),
        asserts=("g1_application == g1", "speedup_application(g=g1) == 1"),
    ),
    Claim(
        id="ext-amdahl-closure-same-side",
        source=_SOURCE,
        statement="The application gains exactly where its kernel does.",
        given=("f <= 1", "latency == affine"),
        asserts=("iff(speedup_application >= 1, speedup >= 1)",),
    ),
    Claim(
        id="ext-amdahl-closure-target",
        source=_SOURCE,
        statement="A target for the application is reached at the granularity of the scaled model.",
        given=("exists(g_s_application)", "latency == affine"),
        asserts=(
            "speedup_application(g=g_s_application) == s",
            "g_s_application == g_s(A=application_ceiling, C=C/f)",
        ),
    ),
)
