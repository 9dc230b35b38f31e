"""Lines of `larder up` for programs: the engine's own warnings are structured too."""

import json
import logging
from collections.abc import Iterator

import pytest

from larder.cli.up.reports import LogReporter


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    root = logging.getLogger("larder")
    before = root.handlers, root.propagate, root.level
    yield
    root.handlers, root.propagate, root.level = before


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_warning_of_the_engine_names_its_run_and_source(capsys: pytest.CaptureFixture[str]) -> None:
    LogReporter(as_json=True, level="info")
    facts = {"run": 7, "source": "homes", "job": 9}
    logging.getLogger("larder.persist").warning("row %s is left out", "key-1", extra=facts)
    (line,) = lines(capsys)
    assert line.pop("timestamp")
    assert line == {"event": "row key-1 is left out", "level": "warning", **facts}


def test_a_traceback_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    LogReporter(as_json=True, level="info")
    try:
        raise ValueError("odd")
    except ValueError:
        logging.getLogger("larder.spool").exception("cannot be read")
    (line,) = lines(capsys)
    assert "ValueError: odd" in str(line["exception"])


def test_what_is_below_the_level_is_not_written(capsys: pytest.CaptureFixture[str]) -> None:
    reporter = LogReporter(as_json=True, level="warning")
    reporter.say("up", pid=1)
    assert lines(capsys) == []
