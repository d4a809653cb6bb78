"""A class name means one thing in all rooms, so that a reader of `Program` knows which one."""

import ast
from collections import defaultdict

from rooms import sources


def test_no_public_class_name_stands_in_two_files() -> None:
    homes = defaultdict(set)
    for source in sources():
        for node in source.tree().body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes[node.name].add(source.module)
    assert {name: sorted(files) for name, files in homes.items() if len(files) > 1} == {}
