"""Write the generated modules: `python -m logca.numeric.generate.write`."""

import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import logca.numeric
from logca.common.processes import command
from logca.numeric.generate.array_functions import index_text, module_text
from logca.numeric.generate.equations import cutoff_equations_text, iteration_text
from logca.numeric.generate.extensions import extensions_text
from logca.numeric.generate.groups import GROUPS
from logca.numeric.generate.keyword_functions import keyword_functions_text
from logca.numeric.generate.notation import latex_text, units_text
from logca.numeric.generate.quantities import MODULES

__all__ = ["FOLDER", "files", "main"]

FOLDER = Path(logca.numeric.__path__[0]) / "generated"
"""Where the generated modules are."""


def _formatted(texts: dict[str, str]) -> dict[str, str]:
    """The texts of files as ruff formats them, all at once."""
    with TemporaryDirectory() as folder:
        for name, text in texts.items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        words = command(
            "ruff", "format", "--isolated", "--no-cache", "--line-length", "100", folder
        )
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"ruff: {done.stderr.strip()}")
        return {name: (Path(folder) / name).read_text(encoding="utf-8") for name in texts}


def main() -> None:
    """Write all of them."""
    for name, text in files().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
        print(name)


def files() -> dict[str, str]:
    """Names of the files and what belongs in them."""
    texts = {f"{module}.py": module_text(module) for module in MODULES}
    texts |= {f"{module}.py": keyword_functions_text(module) for module in GROUPS}
    texts |= {
        "__init__.py": index_text(),
        "cutoff_equations.py": cutoff_equations_text(),
        "extensions.py": extensions_text(),
        "iteration.py": iteration_text(),
        "latex.py": latex_text(),
        "units.py": units_text(),
    }
    return _formatted(texts)


if __name__ == "__main__":
    main()
