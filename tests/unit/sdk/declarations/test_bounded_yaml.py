"""YAML and regular expressions past a limit are refused at once, with their line."""

import time

import pytest
import yaml

from larder.actions.sources import catalogue
from larder.core.errors import BadInput
from larder.sdk.declarations import bounded_yaml
from larder.sdk.declarations.bounded_yaml import MAX_DEPTH, MAX_VALUES, load_bounded
from larder.sdk.declarations.declaration import parse_declaration
from larder.sdk.declarations.yaml_lines import Lines
from larder.sdk.selectors import BadSelector, read_selectors

SECONDS = 30.0
"""Of CPU: work that grows with the square of the text takes minutes."""
_LISTS = "\n".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12))
_MERGES = "\n".join(f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}]}}" for n in range(1, 12))
TEXTS = {
    "lists in lists": ("[" * 100_000, f"c:1: nested deeper than {MAX_DEPTH} levels"),
    "mappings in mappings": ("{a: " * 100_000, f"c:1: nested deeper than {MAX_DEPTH} levels"),
    "block lists": ("- " * 100_000, f"c:1: nested deeper than {MAX_DEPTH} levels"),
    "aliases of aliases": (f"a0: &a0 [x]\n{_LISTS}", f"more than {MAX_VALUES} values"),
    "merged aliases": (f"a0: &a0 {{k: x}}\n{_MERGES}", f"more than {MAX_VALUES} values"),
    "an alias of itself": ("a: 1\nsources: &s [*s]", "c:2: an alias that contains itself"),
    "a number in base 60": (f"a: 1{':59' * 100_000}", "c:1: a number longer than 100 characters"),
    "5 MB": ("# " + "x" * 5_000_000, "c is larger than 5 MB"),
}


@pytest.mark.parametrize("read", [catalogue.parse, parse_declaration])
@pytest.mark.parametrize("case", TEXTS)
def test_l10_27_yaml_past_a_limit_is_refused_quickly(case: str, read: object) -> None:
    text, said = TEXTS[case]
    assert callable(read)
    began = time.process_time()
    with pytest.raises(BadInput) as refused:
        read(text, name="c")
    assert said in str(refused.value)
    assert refused.value.hint
    assert time.process_time() - began < SECONDS


def test_l10_27_values_are_counted_with_and_without_aliases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded_yaml, "MAX_VALUES", 10)
    assert Lines("[1, 2, 3, 4, 5, 6, 7, 8, 9]", name="c").value == list(range(1, 10))
    for text in ("[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]", "[&a [1, 2, 3], *a, *a]"):
        with pytest.raises(BadInput, match="c:1: more than 10 values"):
            Lines(text, name="c")


@pytest.mark.parametrize(
    "text",
    [
        f"[{', '.join(map(str, range(MAX_VALUES - 1)))}]",
        "\n".join(f"k{n}: {n}" for n in range(MAX_VALUES // 2 - 1)),
    ],
    ids=["a list", "a mapping"],
)
def test_l10_27_yaml_just_within_the_limit_is_read_quickly(text: str) -> None:
    began = time.process_time()
    assert len(Lines(text, name="c").value) >= MAX_VALUES // 2 - 1
    assert time.process_time() - began < SECONDS


def test_l10_27_ordinary_aliases_and_merges_are_still_read() -> None:
    text = "base: &b {a: 1, b: [2]}\nother: {<<: *b, c: 3}\nlist: [*b, *b]\n"
    assert load_bounded(text) == yaml.safe_load(text)


@pytest.mark.parametrize("pattern", ["(" * 5_000 + ")" * 5_000, "(" * 490 + ")" * 490, "a{99999999999999}"])
def test_l10_27_a_regex_past_a_limit_is_refused(pattern: str) -> None:
    declared = {"detail": {"fields": {"title": {"css": "h1", "regex": pattern}}}}
    with pytest.raises(BadSelector) as refused:
        read_selectors(declared)
    assert str(refused.value).startswith("selectors.detail.fields.title.regex: ")
    assert len(str(refused.value)) < 200
