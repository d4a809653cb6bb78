"""The public interface as data: no verb, option, exit status or public name is lost by accident.

`public_interface.json` lists them. What is added goes into it with the change that adds it: run
this file as a program to write it anew, and read the difference.
"""

import inspect
import json
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import typer

LISTED = Path(__file__).with_name("public_interface.json")
PACKAGES = ("logca", "logca.numeric", "logca.gpu", "logca.trace")


def option(parameter: Any) -> str:
    """Everything about an option or argument that a script may rely on."""
    default = parameter.default
    default = default.value if isinstance(default, Enum) else default
    offered = choices(parameter.type_descriptor.annotation)
    facts = {
        parameter.param_type_name: ", ".join(
            sorted([*parameter.opts, *parameter.secondary_opts], key=str.lower)
        ),
        "one of": "|".join(offered),
        "flag": getattr(parameter, "is_flag", False),
        "repeated": getattr(parameter, "multiple", False),
        "values": parameter.nargs if parameter.nargs != 1 else "",
        "required": parameter.required,
        "default": "" if default is None else repr(default),
    }
    return "; ".join(
        name if fact is True else f"{name} {fact}" for name, fact in facts.items() if fact
    )


def choices(annotation: Any) -> list[str]:
    """What an option is chosen from; empty if anything can be written."""
    for part in (annotation, *get_args(annotation)):
        if isinstance(part, type) and issubclass(part, Enum):
            return [member.value for member in part]
        if get_origin(part) is Literal:
            return [*get_args(part)]
    return []


def command_line() -> dict[str, Any]:
    """The options of each verb, and of `logca` itself under an empty name."""
    from logca.cli.app import app

    group: Any = typer.main.get_command(app)
    verbs = {"": group} | group.commands
    return {
        verb: {parameter.name: option(parameter) for parameter in command.params}
        for verb, command in sorted(verbs.items())
    }


def exit_statuses() -> dict[str, int]:
    """Exit statuses by what they mean."""
    errors = import_module("logca.cli.terminal.errors")
    return {name: value for name, value in sorted(vars(errors).items()) if type(value) is int}


def names(package: str) -> dict[str, Any]:
    """Public names of a package, with the parameters of what can be called."""
    module = import_module(package)
    public = {*module.__all__, *(name for name in getattr(module, "_HOMES", {}))}
    return {name: parameters(getattr(module, name)) for name in sorted(public)}


def parameters(value: Any) -> str | None:
    """How it can be called; None if it cannot."""
    if inspect.ismodule(value) or not callable(value):
        return None
    try:
        found = inspect.signature(value)
    except (TypeError, ValueError):
        return None
    bare = [
        each.replace(
            annotation=each.empty,
            default="..."
            if callable(each.default) and each.default is not each.empty
            else each.default,
        )
        for each in found.parameters.values()
    ]
    return str(found.replace(parameters=bare, return_annotation=found.empty))


def interface() -> dict[str, Any]:
    """The whole of it, as it is now."""
    return {
        "command line": command_line(),
        "exit statuses": exit_statuses(),
        "names": {package: names(package) for package in PACKAGES},
    }


def test_the_public_interface_is_the_one_that_is_listed() -> None:
    assert interface() == json.loads(LISTED.read_text(encoding="utf-8"))


if __name__ == "__main__":
    LISTED.write_text(json.dumps(interface(), indent=1, ensure_ascii=False) + "\n", "utf-8")
