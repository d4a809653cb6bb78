"""What lies in a room is in the wheel too; an editable install would hide a gap."""

from rooms import FOLDERS, PROJECT, ROOT, sources

SETUPTOOLS = PROJECT["tool"]["setuptools"]


def test_every_folder_of_a_room_is_a_listed_package() -> None:
    packages = {
        source.module if source.path.name == "__init__.py" else source.module.rpartition(".")[0]
        for source in sources()
    }
    assert packages == set(SETUPTOOLS["packages"])


def test_every_other_file_of_a_room_is_package_data() -> None:
    patterns = [pattern for group in SETUPTOOLS["package-data"].values() for pattern in group]
    others = [
        path.relative_to(ROOT)
        for folder in FOLDERS.values()
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and path.suffix not in {".py", ".pyc"}
    ]
    assert [p for p in others if not any(p.match(pattern) for pattern in patterns)] == []


def test_every_room_says_that_it_is_typed() -> None:
    assert [
        folder for folder in FOLDERS.values() if not (ROOT / folder / "py.typed").exists()
    ] == []
