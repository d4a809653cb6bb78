"""C programs for the tests of the trace room, each compiled once in a session."""

from collections.abc import Callable
from pathlib import Path

import pytest

from logca.trace.compile.driver import Compiled, compile_program


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Compiled]:
    """Compile sources given as text: one, or several as a dictionary by the files' names."""
    known: dict[str, Compiled] = {}

    def compiled(
        text: str | dict[str, str],
        *,
        level: str = "as-written",
        inline: bool = False,
        by_elements: bool = False,
    ) -> Compiled:
        key = repr((text, level, inline, by_elements))
        if key not in known:
            folder = tmp_path_factory.mktemp("sources")
            files = text if isinstance(text, dict) else {"program.c": text}
            for name, content in files.items():
                Path(folder, name).write_text(content, encoding="utf-8")
            sources = [folder / name for name in files if name.endswith(".c")]
            known[key] = compile_program(
                sources, level=level, inline=inline, by_elements=by_elements
            )
        return known[key]

    return compiled
