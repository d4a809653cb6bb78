"""The directive `verb`: usage, options and examples of a verb, read from the command line."""

import re
from collections.abc import Iterator
from enum import Enum
from itertools import groupby
from typing import Any, Literal, get_args, get_origin

import typer
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from logca.cli.app import app as command_line

_HIDDEN = {"help", "install_completion", "show_completion"}
_EXPLAINED = re.compile(r"(.*?\S) {2,}(\S.*)")


def verbs() -> dict[str, Any]:
    """Commands by name, in the order of `logca --help`."""
    group: Any = typer.main.get_command(command_line)
    return dict(group.commands)


class Verb(SphinxDirective):
    """All that `logca VERB --help` says, as a page."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Nodes of the page."""
        name = self.arguments[0]
        found = verbs()
        if name not in found:
            raise self.error(f"logca has no verb '{name}'")
        made: list[nodes.Node] = []
        for title, text in page(name, found[name]):
            parsed = self.parse_text_to_nodes(text)
            if title:
                heading = nodes.title("", title)
                anchor = nodes.make_id(f"{name}-{title}")
                made.append(nodes.section("", heading, *parsed, ids=[anchor], names=[anchor]))
            else:
                made += parsed
        return made


class Verbs(SphinxDirective):
    """A list of all verbs with what they do."""

    def run(self) -> list[nodes.Node]:
        """Nodes of the list."""
        lines = [
            f"{{doc}}`logca {name} </reference/verbs/{name}>`\n: {sentences(verb.help)[0]}\n"
            for name, verb in verbs().items()
        ]
        return self.parse_text_to_nodes("\n".join(lines))


def sentences(text: str) -> list[str]:
    """Paragraphs of a help text."""
    return [" ".join(part.split()) for part in re.split(r"\n\s*\n", text.strip())]


def page(name: str, verb: Any) -> Iterator[tuple[str, str]]:
    """Titles and Markdown of a verb's sections; the first one has no title."""
    before, _, rest = verb.help.strip().partition("**Examples**")
    line = f"```{{code-block}} text\n:class: usage\n\n{usage(name, verb)}\n```"
    yield "", f"{before.strip()}\n\n{line}\n\n```{{program}} logca {name}\n```\n"
    examples, after = _split(rest)
    if examples:
        yield "Examples", "```{code-block} sh\n" + "\n".join(_aligned(examples)) + "\n```\n"
    shown = [p for p in verb.params if p.name not in _HIDDEN and not getattr(p, "hidden", False)]
    for title, group in groupby(_sorted(shown), key=_panel):
        options = (f"````{{option}} {signature(each)}\n{facts(each)}\n````\n" for each in group)
        yield title, "\n".join(options)
    if after:
        yield "Notes", after


def usage(name: str, verb: Any) -> str:
    """The line that begins the help."""
    found = verb.get_usage(typer.Context(verb, info_name=f"logca {name}"))
    return " ".join(found.removeprefix("Usage:").split())


def _split(rest: str) -> tuple[list[str], str]:
    lines = rest.strip("\n").splitlines()
    examples = [line.strip() for line in lines if line.startswith("    ")]
    after = "\n".join(line for line in lines if not line.startswith("    ")).strip()
    return examples, after


def _aligned(examples: list[str]) -> Iterator[str]:
    """Commands with what is said of them behind a `#`, so that all can be copied."""
    for line in examples:
        found = _EXPLAINED.fullmatch(line)
        yield f"{found[1]}  # {found[2]}" if found else line


def _panel(parameter: Any) -> str:
    default = "Arguments" if parameter.param_type_name == "argument" else "Options"
    return getattr(parameter, "rich_help_panel", None) or default


def _sorted(parameters: list[Any]) -> list[Any]:
    """Arguments first, then the panels in the order in which they come first."""
    order = list(dict.fromkeys(["Arguments", "Options", *map(_panel, parameters)]))
    return sorted(parameters, key=lambda parameter: order.index(_panel(parameter)))


def signature(parameter: Any) -> str:
    """Names of an option and what it takes, such as ``--output, -o <path>``."""
    if parameter.param_type_name == "argument":
        return str(parameter.metavar or parameter.name)
    names = ", ".join([*parameter.opts, *parameter.secondary_opts])
    if getattr(parameter, "is_flag", False):
        return names
    return f"{names} <{taken(parameter)}>"


def taken(parameter: Any) -> str:
    """What an option takes, in one word or as the choices."""
    if parameter.metavar:
        return str(parameter.metavar)
    annotation = parameter.type_descriptor.annotation
    parts = (annotation, *get_args(annotation))
    for part in parts:
        if get_origin(part) is Literal:
            return "|".join(get_args(part))
    kinds = [part for part in parts if isinstance(part, type)]
    chosen = next((kind for kind in kinds if issubclass(kind, Enum)), None)
    if chosen is not None:
        return "|".join(str(member.value) for member in chosen)
    return {"Path": "FILE", "str": "TEXT", "int": "NUMBER", "float": "NUMBER"}[kinds[-1].__name__]


def facts(parameter: Any) -> str:
    """Help, default, and whether it is needed or may be repeated."""
    notes = []
    default, told = parameter.default, parameter.show_default
    if parameter.required:
        notes.append("required")
    if isinstance(told, str):
        notes.append(f"default: {told}")
    elif told and default is not None and not getattr(parameter, "is_flag", False):
        notes.append(f"default: `{default.value if isinstance(default, Enum) else default}`")
    if getattr(parameter, "multiple", False) and "repeated" not in (parameter.help or ""):
        notes.append("may be repeated")
    tail = f" *({'; '.join(notes)})*" if notes else ""
    return f"{parameter.help or ''}{tail}"


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directives."""
    app.add_directive("verb", Verb)
    app.add_directive("verbs", Verbs)
    return {"parallel_read_safe": True}
