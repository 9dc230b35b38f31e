"""A proof is a claim that is put to the test at length and whose figures are kept.

To add one, write a function that takes a `Stage` and returns its `Part`, and register it with `@proof`. The
same code with smaller numbers runs in the test suite. A result belongs to the source it was found with: as
long as that stays the same, a proof need not be run again, and one that was interrupted goes on after the
last part that it finished.
"""

import hashlib
import json
import os
import platform
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "proofs"
PROVED_BY = ("src/larder", "tests/proofs")
"""What a result depends on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What one part of a proof found: its figures, and a sentence for everything that was not as claimed."""

    figures: Mapping[str, Any]
    broken: Sequence[str] = ()

    @property
    def held(self) -> bool:
        """Nothing was found that speaks against the claim."""
        return not self.broken


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """What a part of a proof is given."""

    seed: int
    folder: Path
    """Empty, and gone afterwards."""
    postgres: Callable[[], str]
    """A new database's URL."""


Run = Callable[[Stage], Part]


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """A claim and the parts in which it is proved."""

    name: str
    claim: str
    seed: int
    parts: dict[str, Run] = field(default_factory=dict)


PROOFS: dict[str, Proof] = {}


def proof(name: str, claim: str, *, seed: int, part: str = "all") -> Callable[[Run], Run]:
    """Register a function as a proof, or as one part of it."""

    def register(run: Run) -> Run:
        known = PROOFS.setdefault(name, Proof(name=name, claim=claim, seed=seed))
        known.parts[part] = run
        return run

    return register


def source_digest() -> str:
    """A name for the code that proofs speak about."""
    return digest_of(*PROVED_BY)


def digest_of(*folders: str) -> str:
    """A name for the code of these folders: what is committed and what is not."""
    digest = hashlib.sha256()
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def result(proved: Proof, parts: Mapping[str, Part]) -> dict[str, Any]:
    """What is written down and committed."""
    broken = [f"{name}: {each}" for name, part in parts.items() for each in part.broken]
    return {
        "name": proved.name,
        "claim": proved.claim,
        "verdict": "broken" if broken else "held",
        "broken": broken,
        "seed": proved.seed,
        "commit": commit(),
        "source": source_digest(),
        "date": datetime.now(UTC).date().isoformat(),
        "machine": machine(),
        "figures": {name: dict(part.figures) for name, part in parts.items()},
    }


def known_result(proved: Proof) -> dict[str, Any] | None:
    """The result that is written down, if it was found with this source and seed."""
    path = RESULTS / f"{proved.name}.json"
    if not path.exists():
        return None
    told: dict[str, Any] = json.loads(path.read_text())
    same = told["source"] == source_digest() and told["seed"] == proved.seed
    return told if same and set(told["figures"]) == set(proved.parts) else None


def write(told: Mapping[str, Any]) -> None:
    """Keep a result."""
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{told['name']}.json").write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n")


def commit() -> str:
    """What is checked out; a plus says that something was changed since."""
    head = _git("rev-parse", "--short=12", "HEAD")
    return head + ("+" if _git("status", "--porcelain", "--", *PROVED_BY) else "") if head else "unknown"


def _git(*arguments: str) -> str:
    said = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return said.stdout.strip()


def machine() -> dict[str, Any]:
    """Where figures come from, as far as it explains them."""
    return {"cores": os.cpu_count(), "python": platform.python_version(), "system": platform.system()}
