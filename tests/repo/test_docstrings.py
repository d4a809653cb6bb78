"""Everything public says what it is; what users call says more, and of every number its unit.

What users call is listed in public_interface.json. The rest has one good line, no sections.

The rule for units: a parameter, result or attribute that is a number is a physical quantity until
its docstring says otherwise, so the docstring gives a unit in brackets beside it: ``[B]``,
``[cycles/B**beta]``, ``[1]`` for a pure number. Beside means in the entry of the parameter or
attribute, or in a paragraph that names it. A result or attribute that is an expression needs a unit
too (``[unit of expr]`` will do); a parameter that is an expression does not, because its symbols
have theirs.
"""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from rooms import Source, sources

LISTED = Path(__file__).with_name("public_interface.json")
NUMBERS = {"float", "Fraction", "Decimal", "mpf", "Rational"}
EXPRESSIONS = {"Expr"}
SECTIONS = re.compile(r"^(Parameters|Returns|Raises|Attributes)\n-+$", re.MULTILINE)
CALLED_BY_USERS = {
    name
    for names in json.loads(LISTED.read_text(encoding="utf-8"))["names"].values()
    for name in names
}
METHODS = {"logca.common.results": {"plot", "to_frame"}}
"""Functions of modules that public classes take into their bodies: users call them as methods."""
BRACKETS = re.compile(r"(?<![\w\]])\[[^\[\]]*\w[^\[\]]*\]")

Documented = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def public(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, Documented]]:
    """Public functions, classes and methods of a module."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Documented) and not node.name.startswith("_"):
            yield prefix + node.name, node
            if isinstance(node, ast.ClassDef):
                yield from public(node, f"{prefix}{node.name}.")


def is_one_of(types: set[str], annotation: ast.expr | None) -> bool:
    """Whether an annotation, or a member of a union, names one of the types."""
    match annotation:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in types
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return is_one_of(types, left) or is_one_of(types, right)
        case ast.Constant(value=str(text)):
            return is_one_of(types, ast.parse(text, mode="eval").body)
    return False


def quantities(node: Documented) -> list[str]:
    """Names of the parameters or attributes that need a unit."""
    if isinstance(node, ast.ClassDef):
        attributes = [item for item in node.body if isinstance(item, ast.AnnAssign)]
        named = [(ast.unparse(item.target), item.annotation) for item in attributes]
        types = NUMBERS | EXPRESSIONS
    else:
        parameters = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
        named = [(parameter.arg, parameter.annotation) for parameter in parameters]
        types = NUMBERS
    return [name for name, type_ in named if name[0] != "_" and is_one_of(types, type_)]


def passages(docstring: str, name: str) -> Iterator[str]:
    """The entries (header and indented lines below) and paragraphs that speak of a name."""
    for paragraph in re.split(r"\n\s*\n", docstring):
        entries = re.split(r"\n(?=\S[^\n]* : )", paragraph)
        yield from (entry for entry in entries if re.search(rf"(?<!\w){name}(?!\w)", entry))


def without_parameters(docstring: str) -> str:
    """The docstring less its section on parameters."""
    return re.sub(r"\nParameters\n-+\n.*?(?=\n\S[^\n]*\n-+\n|\Z)", "", docstring, flags=re.DOTALL)


def objections(node: Documented) -> list[str]:
    """What the docstring of a function or class lacks."""
    docstring = ast.get_docstring(node)
    if not docstring:
        return ["no docstring"]
    missing = [
        f"no unit beside {name}"
        for name in quantities(node)
        if not any(BRACKETS.search(passage) for passage in passages(docstring, name))
    ]
    returns = None if isinstance(node, ast.ClassDef) else node.returns
    if is_one_of(NUMBERS | EXPRESSIONS, returns) and not BRACKETS.search(
        without_parameters(docstring)
    ):
        missing.append("no unit of the result")
    return missing


def remarks(tree: ast.Module, module: str = "") -> dict[str, list[str]]:
    """What is wrong with the docstrings of a module, by name."""
    called = CALLED_BY_USERS | METHODS.get(module, set())
    wrong = {}
    for name, node in public(tree):
        docstring = ast.get_docstring(node) or ""
        if name.partition(".")[0] in called:
            said = objections(node)
        else:
            said = ["sections that no user reads"] if SECTIONS.search(docstring) else []
            said += [] if docstring else ["no docstring"]
        said += ["[text] is no unit"] if "[text]" in docstring else []
        if said:
            wrong[name] = said
    return wrong


@pytest.mark.parametrize("source", list(sources()), ids=lambda source: source.module)
def test_docstrings_say_what_and_in_which_unit(source: Source) -> None:
    tree = source.tree()
    assert remarks(tree, source.module) == {}
    assert ast.get_docstring(tree), "no docstring of the module"


def test_what_nobody_calls_has_one_line() -> None:
    code = "def NAME(x: int) -> int:\n    'Add.\\n\\nParameters\\n---\\nx : int\\n    One [B].'"
    inside, outside = (ast.parse(code.replace("NAME", name)) for name in ("added", "sweep"))
    assert remarks(inside) == {"added": ["sections that no user reads"]}
    assert remarks(outside) == {}


@pytest.mark.parametrize(
    "code",
    [
        "def f(): ...",
        "def f(x: float) -> None:\n    'Takes x.'",
        "def f(x: float) -> None:\n    'Takes x, a list[str].'",
        "def f(x: float, y: float) -> None:\n"
        "    '''Add.\n\n    Parameters\n    ----------\n"
        "    x : float\n        A size [B].\n    y : float\n        A size.\n    '''",
        "def f(x: float) -> sp.Expr:\n"
        "    '''Double.\n\n    Parameters\n    ----------\n"
        "    x : float\n        A size [B].\n    '''",
        "def f(*, timeout: 'float | None' = None):\n    'Stops after a while.'",
        "class Size:\n    'A size.'\n    value: Fraction",
    ],
)
def test_the_check_sees_what_is_missing(code: str) -> None:
    assert len(objections(ast.parse(code).body[0])) == 1


@pytest.mark.parametrize(
    "code",
    [
        "def f(name: str) -> bool:\n    'Whether there is one.'",
        "def f(x: float) -> float:\n    'Time [cycles] at x [B].'",
        "def f(x: float) -> sp.Expr:\n"
        "    '''Speedup [1].\n\n    Parameters\n    ----------\n"
        "    x : float\n        Granularity [B].\n    '''",
        "class Size:\n    '''A size.\n\n    Parameters\n    ----------\n"
        "    low, high : Fraction\n        Bounds [B].\n    '''\n"
        "    low: Fraction\n    high: Fraction",
    ],
)
def test_the_check_lets_the_rest_pass(code: str) -> None:
    assert objections(ast.parse(code).body[0]) == []
