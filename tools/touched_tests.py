"""Print the tests that a change touches most, for `make check`: those that mirror changed files.

A change is what differs from the commit at which this branch left its upstream, or from the last
commit, with new files that git does not ignore. `room/folder/module.py` is mirrored by
`tests/room/folder/test_module.py`; where there is no such file, by the tests of its folder.
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
TESTS = ROOT / "tests"


def git(*arguments: str) -> list[str]:
    """Lines that git answers with; none if it has nothing to say."""
    answer = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    return answer.stdout.splitlines() if answer.returncode == 0 else []


def changed() -> list[Path]:
    """Files that the change adds, edits, moves or deletes, relative to the repository."""
    base = (git("merge-base", "HEAD", "@{upstream}") or ["HEAD"])[0]
    new = git("ls-files", "--others", "--exclude-standard")
    return [Path(name) for name in sorted({*git("diff", "--name-only", base), *new})]


def mirrors(path: Path) -> Iterator[Path]:
    """Test files of a changed file; the tests of its folder if none is named after it."""
    if path.parts[0] == "tests":
        folder = ROOT / path.parent
        named = [ROOT / path] if path.name.startswith("test_") else []
    else:
        folder = TESTS / path.parent
        named = [folder / f"test_{path.stem}.py"]
    existing = [name for name in named if name.is_file()]
    yield from existing or sorted(folder.glob("test_*.py"))


def main() -> None:
    """One path a line; the rules of the repository are always among them."""
    touched = {test for path in changed() if path.suffix for test in mirrors(path)}
    for path in [TESTS / "repo", *sorted(touched - set((TESTS / "repo").glob("*.py")))]:
        print(path.relative_to(ROOT))


if __name__ == "__main__":
    sys.exit(main())
