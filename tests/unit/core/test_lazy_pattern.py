"""A lazy pattern is a compiled one that is compiled late."""

import re
import subprocess
import sys

import pytest

from larder.core.lazy_pattern import compile_patterns, lazy_pattern


def test_it_matches_as_a_compiled_pattern_does() -> None:
    late, early = lazy_pattern(r"(?P<n>\d+)", re.IGNORECASE), re.compile(r"(?P<n>\d+)", re.IGNORECASE)
    assert late.findall("1 and 22") == early.findall("1 and 22") == ["1", "22"]
    assert late.sub("x", "a1") == "ax"
    assert (late.pattern, late.flags, late.groups) == (early.pattern, early.flags, early.groups)


def test_an_invalid_one_fails_on_first_use() -> None:
    wrong = lazy_pattern("(")
    with pytest.raises(re.error):
        wrong.search("")


def test_all_are_compiled_before_workers_are_forked() -> None:
    late = lazy_pattern("a")
    compile_patterns()
    assert "search" in vars(late)


def test_a_module_of_dates_compiles_nothing_when_it_is_loaded() -> None:
    module = "larder.stages.normalize.dates.mentions"
    compiled = f"[name for name, each in vars(sys.modules[{module!r}]).items() if 'groupindex' in dir(each)]"
    told = subprocess.run(
        [sys.executable, "-c", f"import sys, {module}; print({compiled})"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.strip() == "[]"
