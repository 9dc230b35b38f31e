"""Hints name commands; a page has links instead."""

import pytest

from larder.web.hint_links import HintLink, hint_link


@pytest.mark.parametrize(
    ("hint", "found"),
    [
        ("", HintLink("")),
        ("write digits only", HintLink("write digits only")),
        ("choose another --folder", HintLink("")),
        ("see: larder run list", HintLink("", "/admin/runs", "See the runs")),
        (
            "stop it first: larder run stop 7",
            HintLink("stop it first", "/admin/runs/7", "See run 7"),
        ),
        (
            "read them, then: larder site review a.test",
            HintLink("read them", "/admin/sites/a.test", "See site a.test"),
        ),
        (
            "put it right: larder quarantine release 3 --set price=12.50",
            HintLink("put it right", "/admin/quarantine/3", "See the item 3"),
        ),
        (
            "see: larder adapter heal homes",
            HintLink("", "/admin/sources/homes/healing", "See adapter homes"),
        ),
        (
            "start another, or resume it: larder run --help",
            HintLink("start another, or resume it", "/admin/runs", "See the runs"),
        ),
        ("run: larder db upgrade", HintLink("")),
    ],
)
def test_a_command_becomes_the_page_of_its_noun(hint: str, found: HintLink) -> None:
    assert hint_link(hint) == found
