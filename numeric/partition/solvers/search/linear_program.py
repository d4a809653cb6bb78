"""The linear program whose duals bound a coupled partition, by GLOP, and its pool of terms.

Each block that is not fixed is a variable from 0 to 1, and so is each node of a value; each arc of
the network (see `network`) is at least its tail less its head, and each row is at least its terms.
The two arcs of a pair are one variable, since the one less the other is the tail less the head.
Nothing rests on its numbers being exact: `linear_proofs` makes whole ones of its duals.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from logca.common.extras import require
from logca.numeric.partition.solvers.bounds.fixing import FREE, Sides, with_values_placed
from logca.numeric.partition.solvers.bounds.network import Network, contract
from logca.numeric.partition.solvers.bounds.work import Work
from logca.numeric.partition.solvers.certificates.format import Terms
from logca.numeric.partition.solvers.heuristics.moves import CouplingRows

__all__ = [
    "LinearProgram",
    "Pool",
    "Solution",
    "TermTable",
]

Integers = NDArray[np.int64]
Numbers = NDArray[np.float64]

MOST = 4096
"""Most terms to look for at once [1]."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TermTable:
    """Terms with what each is worth."""

    terms: Terms  # the terms
    # what the row of each costs at least if all blocks are where the term says [scaled cycles]
    cost: Integers
    owner: Integers  # for each block of a term which term it is of [1]

    def __len__(self) -> int:
        """Number of terms [1]."""
        return len(self.cost)


class Pool:
    """All terms that were found."""

    def __init__(self, rows: CouplingRows) -> None:
        self._rows = rows
        self._known: set[tuple[int, bytes, bytes]] = set()
        self._row: list[int] = []
        self._block: list[Integers] = []
        self._side: list[NDArray[np.bool_]] = []
        self._cost: list[int] = []
        self._made: TermTable | None = None

    def __len__(self) -> int:
        """Number of terms [1]."""
        return len(self._row)

    def add(self, x: Numbers, charged: Numbers, by: float) -> int:
        """Add terms that a fractional partition violates; how many are new [1]."""
        from logca.numeric.partition.solvers.search.violated_terms import violated

        if not len(self._rows.block):
            return 0
        longest = int(np.diff(self._rows.start).max())
        row, cost, start = (np.zeros(MOST + 1, np.int64) for _ in range(3))
        block, side = (np.zeros(MOST + longest * 64, np.int64) for _ in range(2))
        found = violated(self._rows, x, charged, by, row[:MOST], start, block, side, cost)
        before = len(self)
        for each in range(found):
            chosen = slice(start[each], start[each + 1])
            order = np.argsort(block[chosen])
            blocks, sides = block[chosen][order], side[chosen][order].astype(np.bool_)
            key = int(row[each]), blocks.tobytes(), sides.tobytes()
            if key not in self._known:
                self._known.add(key)
                self._row.append(key[0])
                self._block.append(blocks)
                self._side.append(sides)
                self._cost.append(int(cost[each]))
        return len(self) - before

    def table(self) -> TermTable:
        """All terms by number."""
        if self._made is None or len(self._made) < len(self):
            lengths = [len(blocks) for blocks in self._block]
            none = np.zeros(0, np.int64)
            self._made = TermTable(
                terms=Terms(
                    row=np.array(self._row, np.int64),
                    start=np.cumsum([0, *lengths]).astype(np.int64),
                    block=np.concatenate((none, *self._block)),
                    side=np.concatenate((none.astype(np.bool_), *self._side)),
                ),
                cost=np.array(self._cost, np.int64),
                owner=np.repeat(np.arange(len(lengths)), lengths),
            )
        return self._made


UNITS = 1e6
"""In how many units all costs are divided, since GLOP's tolerances are absolute [1]."""

SPARE = 1024
"""Number of variables for rows that are added at once [1]."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Solution:
    """Solution of the program and its duals."""

    value: float  # the bound [scaled cycles]
    x: Numbers  # how far each block is mapped [1]
    charged: Numbers  # what each row costs [scaled cycles]
    arc: Integers  # arcs of the whole network that are in the program [1]
    flow: Numbers  # their duals [scaled cycles]
    term: Numbers  # the duals of terms [1]
    price: float  # the price of area [scaled cycles]


class LinearProgram:
    """The program of what is not fixed; it is solved anew after each change, from where it was.

    Arcs of the network's `pairs` come first, those back after all forth.
    """

    def __init__(self, whole: Network, pairs: int, rows: int, capacity: int, side: Sides) -> None:
        blocks = len(side)
        full = np.full(whole.nodes, FREE, np.int8)
        full[:blocks] = side
        full = with_values_placed(whole, full, blocks)
        network = contract(whole, full == 1, full == 0, merge=True)
        self.side = side.copy()
        self._now = side.copy()
        self._network = network
        self._unit = max(1.0, network.size / UNITS)
        solvers: Any = require("ortools.linear_solver.pywraplp", "partition")
        # bounds and rows change, which leaves the last basis dual feasible: the dual simplex goes
        # on from it, and a presolve would throw it away
        self._settings = solvers.MPSolverParameters()
        self._settings.SetIntegerParam(self._settings.PRESOLVE, self._settings.PRESOLVE_OFF)
        self._settings.SetIntegerParam(self._settings.LP_ALGORITHM, self._settings.DUAL)
        self._solver: Any = solvers.Solver.CreateSolver("GLOP")
        self._infinity = self._solver.infinity()
        self._optimal = self._solver.OPTIMAL
        self._node = [self._solver.NumVar(0, 1, "") for _ in range(network.nodes)]
        self._place = np.full(blocks, -1)
        chosen = np.flatnonzero(network.node < blocks)
        self._place[network.node[chosen]] = chosen
        self._row: dict[int, Any] = {}
        self._spare: list[Any] = []
        self._rows = rows
        self._forth = np.flatnonzero(network.arc < pairs)
        self._back = np.flatnonzero((network.arc >= pairs) & (network.arc < 2 * pairs))
        self._term: list[Any] = []
        self._objective = self._solver.Objective()
        self._add_spare()
        self._add_network(capacity - int(whole.area[full == 1].sum()))

    def _add_network(self, room: int) -> None:
        network, solver, node = self._network, self._solver, self._node
        once = np.ones(len(network.arc), np.bool_)
        once[self._back] = False
        self._once = np.flatnonzero(once)
        charge = network.capacity / self._unit
        cost = network.cost / self._unit
        np.subtract.at(cost, network.tail[self._forth], charge[self._forth])
        np.add.at(cost, network.head[self._forth], charge[self._forth])
        # |t - h| is 2 max(t - h, 0) - (t - h): one variable for both arcs of a pair, and the rest
        # is a cost of the ends
        charge[self._forth] *= 2
        for variable, each in zip(node, cost.tolist(), strict=True):
            self._objective.SetCoefficient(variable, each)
        self._area = solver.RowConstraint(-self._infinity, room, "")
        for place in np.flatnonzero(network.area).tolist():
            self._area.SetCoefficient(node[place], float(network.area[place]))
        self._arcs = []
        for tail, head, each in zip(
            network.tail[self._once].tolist(),
            network.head[self._once].tolist(),
            charge[self._once].tolist(),
            strict=True,
        ):
            arc = solver.NumVar(0, self._infinity, "")
            row = solver.RowConstraint(0, self._infinity, "")
            for variable, factor in ((arc, 1), (node[tail], -1), (node[head], 1)):
                row.SetCoefficient(variable, factor)
            self._objective.SetCoefficient(arc, each)
            self._arcs.append(row)

    def _add_spare(self) -> None:
        """Add variables for rows at once: GLOP goes on from where it was if only rows are new."""
        self._spare = [self._solver.NumVar(0, self._infinity, "") for _ in range(SPARE)]
        for variable in self._spare:
            self._objective.SetCoefficient(variable, 1)

    def extend(self, table: TermTable) -> None:
        """Add the terms that are new, of a table that begins with those before."""
        terms = table.terms
        for number in range(len(self._term), len(table)):
            chosen = slice(terms.start[number], terms.start[number + 1])
            block, side = terms.block[chosen], terms.side[chosen]
            if np.any((self.side[block] != FREE) & (self.side[block] != side)):
                self._term.append(None)
                continue
            row = int(terms.row[number])
            if row not in self._row:
                if not self._spare:
                    self._add_spare()
                self._row[row] = self._spare.pop()
            cost = float(table.cost[number]) / self._unit
            free = self._place[block] >= 0
            mapped = int(side[free].sum())
            made = self._solver.RowConstraint(cost * (1 - mapped), self._infinity, "")
            made.SetCoefficient(self._row[row], 1)
            for place, to in zip(
                self._place[block[free]].tolist(), side[free].tolist(), strict=True
            ):
                made.SetCoefficient(self._node[place], -cost if to else cost)
            self._term.append(made)

    def fix(self, side: Sides) -> None:
        """Fix other blocks than before, besides those that were when this was made."""
        for block in np.flatnonzero(side != self._now).tolist():
            least, most = (0, 1) if side[block] == FREE else (int(side[block]),) * 2
            self._node[self._place[block]].SetBounds(least, most)
        self._now = side.copy()

    def _solved(self, work: Work) -> bool:
        """True if GLOP found the solution."""
        status = self._solver.Solve(self._settings)
        size = self._solver.NumVariables() + self._solver.NumConstraints()
        work.simplex(self._solver.iterations(), size)
        return bool(status == self._optimal)

    def solve(self, work: Work) -> Solution | None:
        """The solution; nothing if GLOP finds none."""
        if not self._solved(work):
            return None
        network, unit = self._network, self._unit
        node = np.array([variable.solution_value() for variable in self._node])
        x = np.maximum(self.side, 0).astype(np.float64)
        free = self._place >= 0
        x[free] = np.clip(node[self._place[free]], 0, 1)
        charged = np.zeros(self._rows)
        for row, variable in self._row.items():
            charged[row] = max(0.0, variable.solution_value() * unit)
        flow = np.zeros(len(network.arc))
        flow[self._once] = np.array([arc.dual_value() for arc in self._arcs]) * unit
        net = flow[self._forth] - network.capacity[self._forth]
        flow[self._forth], flow[self._back] = np.maximum(net, 0), np.maximum(-net, 0)
        duals = (0.0 if term is None else term.dual_value() for term in self._term)
        return Solution(
            value=network.constant + self._objective.Value() * unit,
            x=x,
            charged=charged,
            arc=network.arc,
            flow=flow,
            term=np.array(list(duals)),
            price=max(0.0, -self._area.dual_value() * unit),
        )

    def value(self, work: Work) -> float | None:
        """The bound alone [scaled cycles]; nothing if GLOP finds none."""
        if not self._solved(work):
            return None
        return float(self._network.constant + self._objective.Value() * self._unit)
