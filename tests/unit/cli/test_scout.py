"""`larder scout` on the command line: what it refuses, and files of candidates."""

import json

from tests.unit.cli.conftest import Shell


def test_without_a_key_it_says_what_to_do(larder: Shell) -> None:
    said = larder("scout", "NL")
    assert said.code == 2
    assert "larder secret set serper" in said.err


def test_a_file_of_candidates_is_added_once(larder: Shell) -> None:
    file = larder.folder / "candidates.jsonl"
    row = {
        "url": "https://venue.test/agenda", "region": "NL", "place": "Dokkum", "title": "Agenda",
        "confidence": 0.9, "judged_by": "heuristic", "evidence": {},
    }  # fmt: skip
    file.write_text(json.dumps(row) + "\n")
    assert json.loads(larder("scout", "--import", str(file), "--json").out) == ["https://venue.test/agenda"]
    assert json.loads(larder("scout", "--import", str(file), "--json").out) == []


def test_a_missing_file_is_named(larder: Shell) -> None:
    said = larder("scout", "--import", "nowhere.jsonl")
    assert said.code == 2
    assert "nowhere.jsonl" in said.err
