"""The examples of docs/reference/library.md run, and the names it promises are there."""

import doctest
import re
from inspect import signature
from pathlib import Path

import pytest

import larder
from larder import extraction
from larder.core.errors import BadInput

PAGE = Path(__file__).resolve().parents[3] / "docs" / "reference" / "library.md"


def test_the_examples_run() -> None:
    found = doctest.testfile(str(PAGE), module_relative=False)
    assert found.attempted >= 20
    assert found.failed == 0


@pytest.mark.parametrize("told", re.findall(r"^\| `([\w.]+)\(([^)]*)\)` \|", PAGE.read_text(), re.MULTILINE))
def test_signatures_are_as_told(told: tuple[str, str]) -> None:
    name, parameters = told
    function = getattr(extraction if "." in name else larder, name.rsplit(".", 1)[-1])
    own = signature(function).parameters
    assert [part.split("=")[0].strip() for part in parameters.split(",") if part.strip() != "*"] == list(own)
    defaults = {
        part.split("=")[0].strip(): part.split("=")[1].strip('"')
        for part in parameters.split(",")
        if "=" in part
    }
    assert {each: str(own[each].default) for each in defaults} == defaults


def test_every_exported_name_is_there() -> None:
    assert all(hasattr(extraction, name) for name in extraction.__all__)
    assert all(hasattr(larder, name) for name in larder.__all__)


def test_an_unknown_adapter_is_told() -> None:
    with pytest.raises(BadInput, match="unknown adapter 'none'"):
        larder.extract("", url=None, adapter="none")
