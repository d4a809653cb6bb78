"""The list of all formulas: cached, because making it loads and derives every one."""

from logca.proofs import cache

__all__ = ["formula_rows", "topic"]


def formula_rows() -> list[dict[str, str]]:
    """Name, topic, unit, meaning and source of every formula [text]."""
    path = cache.folder() / f"formulas-{cache.engine()[:16]}.json"
    rows = cache.read(path, cache.engine()).get("rows")
    if not isinstance(rows, list) or not rows:
        rows = _rows()
        cache.write(path, cache.engine(), {"rows": rows})
        cache.forget(path.parent.glob("formulas-*.json"))
    return rows


def _rows() -> list[dict[str, str]]:
    from logca.derive.catalogue import MODULES, formula

    return [
        {
            "name": name,
            "topic": topic(module),
            "unit": str(formula(name).unit),
            "meaning": formula(name).meaning,
            "source": formula(name).source,
        }
        for module, members in MODULES.items()
        for name in members
    ]


def topic(module: str) -> str:
    """What a module of formulas is about: the first line of its docstring [text].

    Examples
    --------
    >>> topic("speedup")
    'Host time, accelerated time and speedup (eqs 1, 2 and 8 in one)'
    """
    from importlib import import_module

    described = import_module(f"logca.derive.{module}").__doc__ or module
    return described.strip().splitlines()[0].rstrip(".")
