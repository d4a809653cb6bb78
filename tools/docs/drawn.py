"""The directive `drawn`: a picture that a verb draws at build, for wide and for narrow screens."""

from contextlib import chdir
from html import escape
from pathlib import Path
from shlex import split
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from typer.testing import CliRunner

from logca.cli.app import app as command_line
from logca.plots.paper import FIGURES

FOLDER = "_static/drawn"
ROOT = Path(__file__).parents[2]


class Drawn(SphinxDirective):
    """A picture; its argument is the command, without the file that it writes."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar = {
        "alt": directives.unchanged_required,
        "name": directives.unchanged_required,
        "one-width": directives.flag,
        "narrow": directives.flag,
        "quiet": directives.flag,
    }

    def run(self) -> list[nodes.Node]:
        """A figure with its caption, and the command that draws it."""
        words = split(self.arguments[0])
        name = self.options["name"]
        folder = Path(self.env.app.outdir) / FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        widths = ("page",) if "one-width" in self.options else ("page", "column")
        for width in widths:
            self._draw(words, folder / f"{name}-{width}.svg", width)
        up = "../" * self.env.docname.count("/")
        wide, narrow = (f"{up}{FOLDER}/{name}-{width}.svg" for width in ("page", widths[-1]))
        markup = (
            f'<a class="drawn{" narrow" * ("narrow" in self.options)}" href="{wide}"><picture>'
            f'<source media="(max-width: 46em)" srcset="{narrow}">'
            f'<img src="{wide}" alt="{escape(self.options["alt"])}" loading="lazy"></picture></a>'
        )
        figure = nodes.container("", nodes.raw("", markup, format="html"), classes=["figure"])
        figure += self.parse_content_to_nodes()
        if "quiet" not in self.options:
            command = nodes.literal_block(
                text=f"{self.arguments[0]} {_option(words)} picture.svg", language="sh"
            )
            figure += command
        return [figure]

    def _draw(self, words: list[str], path: Path, width: str) -> None:
        more = ["--width", width] if "one-width" not in self.options else []
        command = [*words[1:], *more, _option(words), str(path), "--force"]
        with chdir(ROOT):
            ended = CliRunner().invoke(command_line, command)
        if ended.exit_code:
            raise self.error(f"{self.arguments[0]} ended with {ended.exit_code}: {ended.output}")


def _option(words: list[str]) -> str:
    """The option of a verb that names its picture."""
    return "--picture" if words[1] in ("partition", "offload") else "-o"


class PaperFigures(SphinxDirective):
    """All figures of the paper that can be redrawn."""

    def run(self) -> list[nodes.Node]:
        """A picture for each, with its caption."""
        text = ""
        for name, drawing in FIGURES.items():
            title = drawing().title
            text += f"```{{drawn}} logca plot {name}\n:name: g-{name}\n:alt: {title}\n\n"
            text += f"{title}.\n```\n\n"
        return self.parse_text_to_nodes(text)


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive."""
    app.add_directive("drawn", Drawn)
    app.add_directive("paper-figures", PaperFigures)
    return {"parallel_read_safe": True}
