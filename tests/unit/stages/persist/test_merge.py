"""What a record says after one more page: a table."""

from typing import Any

import pytest

from larder.core.model.job import Purpose
from larder.stages.persist.merge import merge

ROW, PAGE = Purpose.INDEX, Purpose.DETAIL
FOUND = {"latitude": 52.1, "longitude": 5.1, "coordinates_from": "geocoder"}
GUESSED = {"latitude": 50.0, "longitude": 4.0, "coordinates_from": "default"}
MOVED = {**GUESSED, "latitude": 51.0}


@pytest.mark.parametrize(
    ("known", "said", "purpose", "detailed", "merged"),
    [
        pytest.param({}, {"a": 1}, ROW, False, {"a": 1}, id="the first page is all there is"),
        pytest.param({"a": 1}, {"a": 2}, ROW, False, {"a": 2}, id="the newest wins"),
        pytest.param({"a": 1}, {"a": None}, PAGE, True, {"a": 1}, id="nothing is no news"),
        pytest.param({"a": 1}, {"a": ""}, PAGE, True, {"a": 1}, id="empty text is no news"),
        pytest.param({"a": [1]}, {"a": []}, PAGE, True, {"a": [1]}, id="an empty list is no news"),
        pytest.param({"a": 1}, {"a": 0}, PAGE, True, {"a": 0}, id="nought is"),
        pytest.param({"a": True}, {"a": False}, PAGE, True, {"a": False}, id="so is no"),
        pytest.param({"a": "full"}, {"a": "fu…"}, ROW, True, {"a": "full"}, id="a row is cut short"),
        pytest.param({"a": "full"}, {"b": 1}, ROW, True, {"a": "full", "b": 1}, id="a row adds"),
        pytest.param({"seller": "A"}, {"seller": "B"}, ROW, True, {"seller": "B"}, id="a row's seller"),
        pytest.param(FOUND, GUESSED, PAGE, True, FOUND, id="a place that was found stays"),
        pytest.param(GUESSED, FOUND, PAGE, True, FOUND, id="a place that is found counts"),
        pytest.param(GUESSED, MOVED, PAGE, True, MOVED, id="a source that moved takes its events along"),
        pytest.param({"a": "old"}, {"a": "new"}, PAGE, True, {"a": "new"}, id="a page renews"),
    ],
)
def test_merge(
    known: dict[str, Any], said: dict[str, Any], purpose: Purpose, detailed: bool, merged: dict[str, Any]
) -> None:
    before = dict(known)
    assert merge(known, said, purpose=purpose, detailed=detailed) == merged
    assert known == before, "what is known is not changed in place"
