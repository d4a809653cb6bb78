"""Folders of tests are named after the folders of the rooms, so that a test is where one looks."""

from pathlib import Path

from rooms import FOLDERS, ROOT

BESIDE_THE_ROOMS = {"attack", "repo"}
"""Folders of tests that check no single module of ours."""
DATA = {"files", "golden", "oracles", "programs"}
"""Folders of what tests read, and of what they compare with."""


def folders_of_tests() -> list[Path]:
    inside = [path.parent for path in (ROOT / "tests").rglob("test_*.py")]
    return sorted({path.relative_to(ROOT / "tests") for path in inside} - {Path()})


def test_every_folder_of_tests_mirrors_one_of_the_rooms() -> None:
    rooms = {Path(folder) for folder in FOLDERS.values()}
    astray = [
        str(folder)
        for folder in folders_of_tests()
        if folder.parts[0] not in BESIDE_THE_ROOMS
        and not (DATA & set(folder.parts))
        and not ((ROOT / folder).is_dir() and Path(folder.parts[0]) in rooms)
    ]
    assert astray == []
