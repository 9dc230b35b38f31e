"""Hints name actions; a page has links instead."""

import pytest

from larder.core.model.hint import Hint
from larder.web.hint_links import HintLink, hint_link


@pytest.mark.parametrize(
    ("hint", "found"),
    [
        (Hint(), HintLink("")),
        (Hint(text="use digits only"), HintLink("use digits only")),
        (Hint(action="run.list"), HintLink("", "/admin/runs", "See the runs")),
        (
            Hint(text="stop it first", action="run.stop", target="7"),
            HintLink("stop it first", "/admin/runs/7", "See run 7"),
        ),
        (
            Hint(text="read them", action="site.review", target="a.test"),
            HintLink("read them", "/admin/sites/a.test", "See site a.test"),
        ),
        (
            Hint(action="adapter.heal", target="homes"),
            HintLink("", "/admin/sources/homes/healing", "See the repairs of homes"),
        ),
        (Hint(text="upgrade it", action="database.upgrade"), HintLink("upgrade it")),
    ],
)
def test_an_action_becomes_the_page_where_it_is_done(hint: Hint, found: HintLink) -> None:
    assert hint_link(hint) == found
