"""Keeps candidates in a file while the database is unavailable; `larder scout --import` reads it."""

import os
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson

from larder.core.errors import BadInput
from larder.store.operations.candidates import NewCandidate

MAX_FILE_BYTES = 50_000_000
HINT = "give a file that a scout wrote"


def write_candidates(folder: Path, candidates: Sequence[NewCandidate], *, now: datetime) -> Path:
    """Write a file, complete before it gets its name; a line a candidate."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"candidates-{now:%Y%m%dT%H%M%S%f}.jsonl"
    draft = path.with_suffix(".part")
    with draft.open("wb") as file:
        file.writelines(orjson.dumps(asdict(candidate)) + b"\n" for candidate in candidates)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)
    return path


def read_candidates(path: Path) -> list[NewCandidate]:
    """The candidates in a file; refuses a file of another format, and names the line."""
    if path.stat().st_size > MAX_FILE_BYTES:
        raise BadInput(f"{path} has more than {MAX_FILE_BYTES:,} bytes", hint=HINT)
    lines = path.read_bytes().splitlines()
    return [_candidate(line, path, number) for number, line in enumerate(lines, 1) if line.strip()]


def _candidate(line: bytes, path: Path, number: int) -> NewCandidate:
    try:
        row: dict[str, Any] = orjson.loads(line)
        candidate = NewCandidate(**row)
        ok = candidate.url.startswith(("http://", "https://"))
    except (orjson.JSONDecodeError, TypeError, AttributeError):
        ok = False
    if not ok:
        raise BadInput(f"{path}, line {number}: not a candidate", hint=HINT)
    return candidate
