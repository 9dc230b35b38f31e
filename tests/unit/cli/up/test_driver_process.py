"""A driver process of `larder up`: its parent's signal ends it silently, also while it still starts."""

import gc
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextvars import copy_context

import pytest

from larder.cli.common.garbage import GC_THRESHOLDS
from larder.cli.common.interrupts import SIGNALS
from larder.cli.up import drive_beside, driver_process
from tests.unit.cli.conftest import PATIENCE, Shell


@pytest.fixture
def handlers() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in SIGNALS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("handlers")
def test_a_signal_while_it_starts_ends_it_silently(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def starts(*_: object) -> None:
        signal.raise_signal(signal.SIGTERM)
        pytest.fail("the signal was not heard")

    monkeypatch.setattr(drive_beside, "with_app", starts)
    monkeypatch.setattr(sys, "argv", ["driver_process", "--drivers", "1"])
    with pytest.raises(SystemExit) as ended:
        copy_context().run(driver_process.main)  # the signals of this test are not those of the next
    assert ended.value.code == 0
    assert capsys.readouterr() == ("", "")


@pytest.mark.usefixtures("handlers")
def test_it_looks_for_garbage_as_seldom_as_commands_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fifth of a driver's work was looking for garbage after every 700 objects."""
    seen: list[tuple[int, int, int]] = []
    before = gc.get_threshold()
    monkeypatch.setattr(drive_beside, "with_app", lambda _: seen.append(gc.get_threshold()))
    monkeypatch.setattr(sys, "argv", ["driver_process", "--drivers", "1"])
    try:
        with pytest.raises(SystemExit):
            copy_context().run(driver_process.main)
    finally:
        gc.set_threshold(*before)
    assert seen == [GC_THRESHOLDS]


@pytest.mark.usefixtures("handlers")
def test_it_ends_without_looking_for_garbage_in_all_of_its_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    """That took half as long as its start."""
    done: list[str] = []
    before = gc.get_threshold()
    monkeypatch.setattr(drive_beside, "with_app", lambda _: done.append("drove"))
    monkeypatch.setattr(gc, "freeze", lambda: done.append("exempt"))
    monkeypatch.setattr(sys, "argv", ["driver_process", "--drivers", "1"])
    try:
        with pytest.raises(SystemExit):
            copy_context().run(driver_process.main)
    finally:
        gc.set_threshold(*before)
    assert done == ["exempt", "drove", "exempt"]


def test_a_driver_whose_parent_ended_while_it_started_ends_as_well(larder: Shell) -> None:
    """Killed at that moment, `larder up` left a driver behind that held the data folder for ever."""
    parent = larder.start("--version")
    parent.communicate()
    command = ("-m", "larder.cli.up.driver_process", "--drivers", "1", "--parent", str(parent.pid))
    ended = subprocess.run(
        [sys.executable, *command],
        cwd=larder.folder,
        env=larder.environment(),
        capture_output=True,
        check=True,
        text=True,
        timeout=PATIENCE,
    )
    assert ended.returncode == 0
    assert "driver down" in ended.stdout + ended.stderr
