"""Write the functions of all languages: `python -m logca.numeric.generate.languages.write`."""

import json
from collections.abc import Iterator
from typing import Any

from logca.numeric.generate.codegen.functions import bound_function
from logca.numeric.generate.codegen.offers import HELPERS, offers
from logca.numeric.generate.codegen.source_program import bound_name
from logca.numeric.generate.codegen.text import written
from logca.numeric.generate.codegen.tree import TargetFunction
from logca.numeric.generate.languages.registry import LANGUAGES, language_named
from logca.numeric.generate.quantities import quantity
from logca.numeric.generate.write import FOLDER

__all__ = ["CODE", "files", "main"]

CODE = FOLDER / "code"
"""Where they are."""


def main() -> None:
    """Write all of them."""
    CODE.mkdir(exist_ok=True)
    for name, text in files().items():
        (CODE / name).write_text(text, encoding="utf-8")
        print(f"{CODE.name}/{name}")


def files() -> dict[str, str]:
    """Names of the files and what belongs in them."""
    return {f"{name}.json": json.dumps(each, indent=0) + "\n" for name, each in _contents()}


def _contents() -> Iterator[tuple[str, dict[str, Any]]]:
    """All that can be asked for, then all functions of each language."""
    index: dict[str, Any] = {}
    public: dict[str, TargetFunction] = {}
    for name, offer in offers().items():
        functions = offer.functions()
        public |= {each.name: each for each in functions.values()}
        index[name] = {
            "meaning": offer.meaning,
            "unit": offer.unit,
            "functions": {latency: each.name for latency, each in functions.items()},
            "formulas": offer.digest,
        }
    yield "offers", index
    share = quantity("host_share")
    bound = (bound_function(share, form, bound_name(share.name, form)) for form in share.formulas)
    every = [*(make() for make in HELPERS.values()), *public.values(), *bound]
    for language in LANGUAGES:
        yield language, written(every, language_named(language))


if __name__ == "__main__":
    main()
