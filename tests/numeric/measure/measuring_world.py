"""A world in which time passes only when something is timed, so that every run is the same."""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import floor
from pathlib import Path
from random import Random

from logca.numeric.measure.experiment import Experiment
from logca.numeric.measure.measure import Measured, measure_experiment
from logca.numeric.measure.sizes_and_precision import Plan

MACHINE = {"cpu": "Z80", "cores": 1, "system": "CP/M 2.2", "python": "3.11", "load": 0.0}


@dataclass(kw_only=True)
class World:
    """Two paths whose true times are known, and a clock of its own.

    `ran` has size, path, calls and the true time of every run.
    """

    host: Callable[[int], float]
    accelerated: Callable[[int], float]
    noise: float = 0.0
    step: float = 0.0
    now: float = 0.0
    ran: list[tuple[int, str, int, float]] = field(default_factory=list)
    before: Callable[[int, str], None] = lambda size, path: None
    random: Random = field(default_factory=lambda: Random(1))

    def timer(self, path: str) -> Callable[[int, int], float]:
        """A timer of one of the paths; its clock goes in steps."""

        def timer(size: int, calls: int) -> float:
            self.before(size, path)
            true = getattr(self, path)(size) * calls * self.random.lognormvariate(0, self.noise)
            began, self.now = self.now, self.now + true
            self.ran.append((size, path, calls, true))
            if not self.step:
                return true
            return (floor(self.now / self.step) - floor(began / self.step)) * self.step

        return timer

    def experiment(self, least: int, most: int, step: int = 1) -> Experiment:
        """The two paths as an experiment."""
        return Experiment(
            name="world",
            title="a world",
            host=self.timer("host"),
            accelerated=self.timer("accelerated"),
            sizes=(least, most),
            step=step,
        )

    def measure(
        self, output: Path, plan: Plan, sizes: tuple[int, int] = (1024, 1 << 26), step: int = 1
    ) -> Measured:
        """Measure it, on its own clock."""
        return measure_experiment(
            self.experiment(*sizes, step),
            output,
            plan,
            machine=MACHINE,
            clock=lambda: self.now,
            resolution=self.step or 1e-9,
        )
