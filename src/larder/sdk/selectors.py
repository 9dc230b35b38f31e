"""Declared selectors: a plain site needs a few lines of YAML and no code.

    index:
      row: article.card
      fields:
        title: h2 a
        url: h2 a@href                     # an attribute
        platform_id: "@data-id"            # an attribute of the row itself
        price: [.price-new, .price]        # alternatives: the first that finds something
        area: {css: .facts, regex: '([\\d.,]+) m²'}
        images: {css: img, attr: src, many: true}
        cost: {css: '.whole, .cents', join: '.'}   # all that match, put together
        rooms: {css: dd, label: Rooms}     # the one that is after this word
        fee: {css: .fee, only: true}       # nothing, where several say different things
      next: a.next@href
      total: .count
    detail:
      fields: {title: h1, price: .price}

Declarations are checked when they are read, so that a mistake is told before any page is fetched.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import turbohtml
from turbohtml import Element, Node

from larder.core.errors import BadInput
from larder.core.model.hint import Hint
from larder.sdk.page import text_of

MAX_ROWS = 2_000
MAX_REGEX = 1_000
"""Characters of a regular expression."""

ElementTest: TypeAlias = Callable[[Element], bool]

_PROBE = turbohtml.parse("<p></p>")
_FIELD_KEYS = frozenset({"css", "attr", "regex", "many", "join", "label", "only"})
_PART_KEYS = frozenset({"row", "fields", "next", "total", "empty"})


class BadSelector(BadInput):
    """A declaration that cannot be used; `trail` leads to the mistake."""

    def __init__(self, location: str, pattern: str, *, hint: Hint | str = "") -> None:
        super().__init__(f"{location}: {pattern}", hint=hint)
        self.trail: tuple[str | int, ...] = tuple(
            int(part) if part.isdecimal() else part for part in location.split(".")
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Pick:
    """One way to find a value below an element."""

    css: str = ""
    attr: str = ""
    regex: re.Pattern[str] | None = None
    many: bool = False
    join: str = ""
    """Separator between the values of all matches; empty: only the first match counts."""
    label: str = ""
    """The text just before the element, as `Rooms` before `3`; empty: any text."""
    only: bool = False
    """If matches have different values, none of them counts."""

    def read(self, scope: Node, passes_over: ElementTest | None = None) -> Any:
        """The value, or None; `passes_over`: elements that are skipped."""
        nodes: list[Any] = scope.select(self.css) if self.css else [scope]
        if self.label:
            nodes = [node for node in nodes if preceding_label(node) == self.label]
        if passes_over is not None:
            nodes = [node for node in nodes if not passes_over(node)]
        values = (value for node in nodes if (value := self._value(node)))
        if self.join:
            return self.join.join(values) or None
        if self.only:
            pattern = set(values)
            return pattern.pop() if len(pattern) == 1 else None
        return (list(values) or None) if self.many else next(values, None)

    def declared(self) -> str | dict[str, Any]:
        """As a declaration writes it."""
        css_only = self.regex is None and not (self.many or self.join or self.label or self.only)
        if css_only and "@" not in self.css:
            return f"{self.css}@{self.attr}" if self.attr else self.css
        long: dict[str, Any] = {
            "css": self.css,
            "attr": self.attr,
            "regex": self.regex and self.regex.pattern,
        }
        long |= {"many": self.many, "join": self.join, "label": self.label, "only": self.only}
        return {name: value for name, value in long.items() if value}

    def _value(self, node: Element) -> str | None:
        text = (node.attr(self.attr) or "").strip() if self.attr else text_of(node)
        if self.regex is None:
            return text or None
        match = self.regex.search(text)
        return (match[1] if match.re.groups else match[0]) if match else None


def declared_picks(picks: Sequence[Pick]) -> Any:
    """Alternatives as a declaration writes them: a single one without a list."""
    return picks[0].declared() if len(picks) == 1 else [pick.declared() for pick in picks]


def preceding_label(node: Node) -> str:
    """The words of the preceding element, without a final colon."""
    before = next((each for each in node.previous_siblings if isinstance(each, Element)), None)
    return text_of(before).rstrip(" :")


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A named value with its alternatives."""

    name: str
    picks: tuple[Pick, ...]

    def read(self, scope: Node, passes_over: ElementTest | None = None) -> Any:
        """The value of the first alternative that finds one."""
        for pick in self.picks:
            value = pick.read(scope, passes_over)
            if value is not None:
                return value
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The selectors for one kind of page."""

    row: str = ""
    fields: tuple[Field, ...] = ()
    next: Field | None = None
    total: Field | None = None
    empty: str = ""
    """Matches if the page itself says that it has no rows."""

    def rows(self, tree: Node) -> list[Any]:
        """The elements that items are read from."""
        return tree.select(self.row)[:MAX_ROWS] if self.row else [tree]

    def read(self, scope: Node, passing_over: Mapping[str, ElementTest] | None = None) -> dict[str, Any]:
        """The fields that were found below `scope`; `passing_over`: elements that are skipped, by field."""
        judges = passing_over or {}
        found = ((field.name, field.read(scope, judges.get(field.name))) for field in self.fields)
        return {name: value for name, value in found if value is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Selectors:
    """The selectors that a source declares."""

    index: Part | None = None
    detail: Part | None = None


def read_selectors(declared: Any) -> Selectors:
    """Check a declaration and compile it; `BadInput` names the place of a mistake."""
    declared = _mapping(declared, "selectors", {"index", "detail"})
    return Selectors(**{name: _part(part, f"selectors.{name}") for name, part in declared.items()})


def _part(declared: Any, location: str) -> Part:
    declared = _mapping(declared, location, _PART_KEYS)
    fields = _mapping(declared.get("fields", {}), f"{location}.fields", None)
    if location.endswith(".index") and not declared.get("row"):
        raise BadSelector(
            location, "`row` is missing", hint="say which element holds one row, e.g. row: article.card"
        )
    if not fields:
        raise BadSelector(
            location, "`fields` is missing or empty", hint="name at least a title, e.g. title: h2 a"
        )
    return Part(
        row=_css(declared.get("row", ""), f"{location}.row"),
        fields=tuple(_field(name, value, f"{location}.fields.{name}") for name, value in fields.items()),
        next=_field("next", declared["next"], f"{location}.next") if "next" in declared else None,
        total=_field("total", declared["total"], f"{location}.total") if "total" in declared else None,
        empty=_css(declared.get("empty", ""), f"{location}.empty"),
    )


def _field(name: Any, declared: Any, location: str) -> Field:
    alternatives = declared if isinstance(declared, list) else [declared]
    if not alternatives:
        raise BadSelector(location, "no selector given", hint="write one, e.g. .price")
    several = isinstance(declared, list)
    picks = (_pick(each, f"{location}.{at}" if several else location) for at, each in enumerate(alternatives))
    return Field(name=str(name), picks=tuple(picks))


def read_pick(declared: Any, location: str) -> Pick:
    """Check one way to find a value; `BadInput` names the place of a mistake."""
    return _pick(declared, location)


def _pick(declared: Any, location: str) -> Pick:
    if isinstance(declared, str):
        css, _, attr = declared.rpartition("@") if _has_attribute(declared) else (declared, "", "")
        return Pick(css=_css(css.strip(), location), attr=attr.strip())
    long = _mapping(declared, location, _FIELD_KEYS)
    return Pick(
        css=_css(long.get("css", ""), location),
        attr=_string(long.get("attr", ""), f"{location}.attr"),
        regex=_regex(long.get("regex"), location),
        many=bool(long.get("many", False)),
        join=_string(long.get("join", ""), f"{location}.join"),
        label=_string(long.get("label", ""), f"{location}.label"),
        only=bool(long.get("only", False)),
    )


def _has_attribute(declared: str) -> bool:
    return re.search(r"@[\w:.-]+\s*$", declared) is not None


def _css(selector: Any, location: str) -> str:
    selector = _string(selector, location)
    try:
        if selector:
            _PROBE.select(selector)
    except ValueError as wrong:
        raise BadSelector(location, str(wrong), hint="write a CSS selector, e.g. .price or h2 a") from wrong
    return str(selector)


def _regex(pattern: Any, location: str) -> re.Pattern[str] | None:
    if pattern is None:
        return None
    text = _string(pattern, f"{location}.regex")
    if len(text) > MAX_REGEX:
        raise BadSelector(
            f"{location}.regex", f"{len(text)} characters, at most {MAX_REGEX}", hint="shorten it"
        )
    try:
        return re.compile(text)
    except (re.error, RecursionError, OverflowError) as wrong:
        hint = "write a regular expression; its first group is kept"
        raise BadSelector(f"{location}.regex", str(wrong), hint=hint) from wrong


def _string(value: Any, location: str) -> str:
    if not isinstance(value, str):
        raise BadSelector(location, f"expected text, got {_kind(value)}", hint="put it in quotes")
    return value


def _mapping(value: Any, location: str, keys: "frozenset[str] | set[str] | None") -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        hint = "write lines such as `title: h2 a`"
        raise BadSelector(location, f"expected a mapping, got {_kind(value)}", hint=hint)
    unknown = sorted(str(key) for key in value if keys is not None and key not in keys)
    if unknown:
        hint = f"known: {', '.join(sorted(keys or ()))}"
        raise BadSelector(f"{location}.{unknown[0]}", "there is no such key", hint=hint)
    return value


def _kind(value: Any) -> str:
    """The name of a value's type in YAML."""
    names = {
        "NoneType": "nothing",
        "bool": "true or false",
        "int": "a number",
        "float": "a number",
        "list": "a list",
    }
    return names.get(type(value).__name__, "a mapping" if isinstance(value, Mapping) else "text")
