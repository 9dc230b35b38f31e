"""The glossary names every word of ours, and for each the module that implements it."""

import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from larder.core.model.run import RunKind
from larder.core.model.source import Kind

GLOSSARY = Path(__file__).resolve().parents[2] / "docs" / "reference" / "glossary.md"
ENTRY = re.compile(r"^\*\*(?P<word>[^*]+)\*\*: (?P<text>.+?)(?=\n\n|\Z)", re.MULTILINE | re.DOTALL)
MODULE = re.compile(r"`(larder(?:\.\w+)+)`")
OURS = (
    "adapter", "alert", "canary", "certificate", "checkpoint", "circuit", "confidence", "control",
    "dead letter", "drift", "entity", "fold", "item", "job", "lane", "lapsed", "observation", "outbox",
    "page", "pin", "plan", "probe", "quarantine", "record", "repair", "replay", "run", "sighting", "site",
    "site profile", "source", "spool", "strategy", "strike", "target", "tier", "unseen", "version", "void",
    "watch", "window",
)  # fmt: skip

ENTRIES = {found["word"]: found["text"] for found in ENTRY.finditer(GLOSSARY.read_text())}


def test_every_word_of_ours_is_explained_and_no_other() -> None:
    assert sorted(ENTRIES) == sorted(OURS)


@pytest.mark.parametrize("word", OURS)
def test_the_module_that_implements_a_word_exists(word: str) -> None:
    modules = MODULE.findall(ENTRIES[word])
    assert len(modules) == 1, f"name one module in the entry of {word!r}"
    assert find_spec(modules[0]) is not None, f"{word!r}: there is no module {modules[0]}"


@pytest.mark.parametrize(("word", "values"), [("run", RunKind), ("record", Kind)])
def test_values_of_the_code_are_named(word: str, values: type[RunKind] | type[Kind]) -> None:
    missing = [str(each) for each in values if f"`{each}`" not in ENTRIES[word]]
    assert missing == []
