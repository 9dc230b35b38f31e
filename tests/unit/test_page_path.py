"""The page that says where things are: its files and functions exist, and no hop calls upwards."""

import ast
import re
import tomllib
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Any

import pytest

from larder.core.model.run import RunStatus
from larder.core.model.source import Plan
from larder.core.policy.scheduling.cadence import Cadence
from larder.runs import fold
from tests.services import ROOT

PAGE = (ROOT / "docs" / "explanation" / "page-path.md").read_text()
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")] for line in PAGE.splitlines() if line[:2] == "| "
]
HOPS = [row for row in ROWS if row[0].isdigit()]
QUESTIONS = [row for row in ROWS if row[0].endswith("?")]
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
LAYERS = {
    contract["containers"][0].partition(".")[2]: [re.findall(r"\w+", layer) for layer in contract["layers"]]
    for contract in CONTRACTS
    if contract["type"] == "layers"
}


def names_in(file: str) -> set[str]:
    """Module-level names, and methods as `Class.method`."""
    found = set()
    for node in ast.parse((ROOT / "src" / "larder" / file).read_text()).body:
        if isinstance(node, ast.Assign):
            found |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
        elif isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            found.add(node.name)
            found |= {f"{node.name}.{each.name}" for each in ast.walk(node) if isinstance(each, FUNCTIONS)}
    return found


FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def depth(file: str) -> tuple[int, int]:
    """How far down a module lies: its room, and where rooms have rooms of their own, those."""
    parts = file.removesuffix(".py").split("/")
    return _layer("", parts[0]), _layer(parts[0], parts[1]) if parts[0] in LAYERS else 0


def _layer(container: str, name: str) -> int:
    return next(n for n, layer in enumerate(LAYERS[container]) if name in layer)


@pytest.mark.parametrize("row", [*HOPS, *QUESTIONS], ids=lambda row: row[0])
def test_the_file_holds_the_function(row: list[str]) -> None:
    file, function = (cell.strip("`") for cell in (row[2:4] if row in HOPS else row[1:3]))
    assert function in names_in(file)


def test_at_most_fifteen_hops_and_twenty_questions() -> None:
    assert [int(row[0]) for row in HOPS] == list(range(1, len(HOPS) + 1))
    assert 10 <= len(HOPS) <= 15
    assert len(QUESTIONS) == 20


@pytest.mark.parametrize("row", HOPS[1:], ids=lambda row: row[0])
def test_no_hop_is_called_from_below(row: list[str]) -> None:
    caller = HOPS[int(row[4]) - 1]
    assert int(caller[0]) < int(row[0])
    assert depth(caller[2].strip("`")) <= depth(row[2].strip("`"))


def test_the_toy_run_kind_is_a_run_kind() -> None:
    class RunKind(StrEnum):
        NIGHTLY = "nightly"

    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    given: dict[str, Any] = {**vars(fold), "RunKind": RunKind, "Plan": Plan, "RunStatus": RunStatus}
    exec(compile(code, "page-path.md", "exec", dont_inherit=True), given)
    nightly, now = given["NIGHTLY"], datetime(2026, 1, 5, tzinfo=UTC)
    assert nightly.next_at(Cadence(plan=Plan.INDEX), now) == now + timedelta(hours=24)
    assert nightly.step({}, None).done
    assert nightly.end({}, failed=0, now=now).status is RunStatus.COMPLETED
