"""What operators can do, they can do by HTTP: no button of the command line is missing there."""

import inspect
import pkgutil
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

import larder.actions
import larder.api

ELSEWHERE = {
    "fetch.audit_private_fetch": "called by the preview of a new source",
    "known_sites.as_target": "called by add",
    "scout.import_candidates": "reads a file of the deployment's folder: by command",
    "site_profiles.store": "called by the learning of a profile",
    "sources.save": "called by add, edit and import",
    "sources.set_columns": "called by enable, disable and edit",
    "save.save_all": "called by add and import",
    "replay.replay": "takes as long as it takes: by command",
}
WRITTEN = "\n".join(path.read_text() for path in Path(larder.api.__file__).parent.rglob("*.py"))


def buttons() -> Iterator[str]:
    """Every action that says whose hand it was."""
    for module in pkgutil.walk_packages(larder.actions.__path__, "larder.actions."):
        found = import_module(module.name)
        for name, function in inspect.getmembers(found, inspect.isfunction):
            ours = function.__module__ == found.__name__ and not name.startswith("_")
            if ours and "who" in inspect.signature(function).parameters:
                yield f"{module.name.rpartition('.')[2]}.{name}"


@pytest.mark.parametrize("button", sorted(set(buttons()) - ELSEWHERE.keys()))
def test_a_button_is_there(button: str) -> None:
    assert re.search(rf"\b{re.escape(button)}\b", WRITTEN), f"{button} cannot be reached by HTTP"


def test_every_exception_is_still_one() -> None:
    assert ELSEWHERE.keys() <= set(buttons())
