"""Each dependency says what it is for, has a lower bound, and stands with its licence in docs."""

import re

import dependencies


def test_each_has_a_purpose_and_a_lower_bound() -> None:
    listed = dependencies.requirements()
    assert len(listed) > 40
    for name, versions, purpose, _ in listed:
        assert versions.startswith(">="), name
        assert len(purpose) > 10, name


def test_the_page_lists_all_of_them_with_a_licence() -> None:
    rows = re.findall(
        r"^\| (\S+) \| ([^|]+) \| (\w+) \| ([^|]+) \| ([^|]+) \|$",
        dependencies.PAGE.read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    listed = [(row[0], row[1], row[4], row[2]) for row in rows if row[0] != "library"]
    assert listed == dependencies.requirements()
    assert all(row[3] not in ("", "?") for row in rows)
