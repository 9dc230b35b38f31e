"""A permit comes from the gate, and is good for one request."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from larder.stages import fetch
from larder.stages.fetch.permit import GATE_SEAL, Permit

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def test_only_the_gate_creates_one() -> None:
    with pytest.raises(TypeError, match="only the gate"):
        Permit(url="https://shop.test/", local=False, closes_at=NOW, seal=object())


def test_the_seal_is_in_the_gates_hand_alone() -> None:
    room = Path(fetch.__file__).parents[2]
    holders = {path.name for path in room.rglob("*.py") if "GATE_SEAL" in path.read_text(encoding="utf-8")}
    assert holders == {"permit.py", "gate.py"}


def test_it_is_spent_by_the_first_request() -> None:
    permit = Permit(url="https://shop.test/", local=False, closes_at=NOW, seal=GATE_SEAL)
    permit.spend()
    with pytest.raises(RuntimeError, match="used already"):
        permit.spend()
