import mpmath
from hypothesis import assume, given, settings
from oracle import GRANULARITIES, close, exact, fractions, models, value

from logca.derive.logca.energy import (
    AVERAGE_POWER_ACCELERATED,
    EDP_GAIN,
    ENERGY_ACCELERATED,
    ENERGY_CEILING,
    ENERGY_GAIN,
    ENERGY_HOST,
    G1_ENERGY,
)

WATTS = fractions(-1, 3)


def spent(model, g, host, overhead, link, accelerator):
    """Energy on the host and when offloaded, part by part."""
    moving = exact(model.L0) + exact(model.L1) * g
    computing = model.host(g) / exact(model.A)
    parts = (overhead, exact(model.o)), (link, moving), (accelerator, computing)
    return exact(host) * model.host(g), sum(exact(power) * time for power, time in parts)


@settings(max_examples=50, deadline=None)
@given(model=models(), g=GRANULARITIES, host=WATTS, overhead=WATTS, link=WATTS, accelerator=WATTS)
def test_energy_is_power_times_time(model, g, host, overhead, link, accelerator) -> None:
    powers = {
        "p_host": host, "p_overhead": overhead, "p_link": link, "p_accelerator": accelerator,
    }  # fmt: skip
    with mpmath.workdps(40):
        before, after = spent(model, exact(g), host, overhead, link, accelerator)
        assert close(value(ENERGY_HOST, model, g=g, **powers), before)
        assert close(value(ENERGY_ACCELERATED, model, g=g, **powers), after)
        gain, speedup = value(ENERGY_GAIN, model, g=g, **powers), model.speedup(exact(g))
        assert close(gain, before / after)
        assert gain < value(ENERGY_CEILING, model, **powers)
        mean = value(AVERAGE_POWER_ACCELERATED, model, g=g, **powers)
        assert close(mean, after / model.time(exact(g)))
        assert (gain >= speedup) == (mean <= exact(host)) or close(gain, speedup)
        assert close(value(EDP_GAIN, model, g=g, **powers), gain * speedup)
        same = model.but(
            o=model.o * overhead / host, L0=model.L0 * link / host, L1=model.L1 * link / host,
            A=model.A * host / accelerator,
        )  # fmt: skip
        assert close(gain, same.speedup(exact(g)))


@settings(max_examples=50, deadline=None)
@given(model=models(), host=WATTS, overhead=WATTS, link=WATTS, accelerator=WATTS)
def test_break_even_in_energy(model, host, overhead, link, accelerator) -> None:
    assume(model.A * host > accelerator)
    with mpmath.workdps(40):
        at = value(
            G1_ENERGY,
            model,
            p_host=host,
            p_overhead=overhead,
            p_link=link,
            p_accelerator=accelerator,
        )
        assume(not mpmath.isnan(at))
        before, after = spent(model, at, host, overhead, link, accelerator)
        assert close(before, after, mpmath.mpf(10) ** -25)
