"""A declaration on its own in a file: what a plain site needs instead of code.

    strategies: [selectors]        # optional: use nothing else
    selectors:
      index: {row: article, fields: {title: h2, url: h2 a@href}}
      detail: {fields: {title: h1, price: .price}}

Checked before any page is fetched; a complaint names the file, the line and what to write instead.
"""

from pathlib import Path
from typing import Any

from larder.core.errors import BadInput
from larder.core.model.item import Strategy
from larder.sdk.declarations.yaml_lines import Lines
from larder.sdk.selectors import BadSelector, read_selectors

_KEYS = frozenset({"selectors", "strategies", "index_url"})


def read_declaration(path: Path) -> dict[str, Any]:
    """A source's params from a file; `BadInput` names the line of the first mistake."""
    return parse_declaration(read_text(path), name=str(path))


def read_text(path: Path) -> str:
    """The text of a file; `BadInput` if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise BadInput(f"there is no file {path}", hint="check the path") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{path} is not UTF-8 text (byte {error.start})", hint="save it as UTF-8") from error
    except OSError as error:
        raise BadInput(f"{path} cannot be read ({error.strerror})", hint="check the path") from error


def parse_declaration(text: str, *, name: str = "declaration") -> dict[str, Any]:
    """The same from its text; `index:` and `detail:` may stand alone."""
    lines = Lines(text, name=name)
    declared, above = _declared(lines)
    bare = not _KEYS.intersection(declared)
    params = {"selectors": declared} if bare else declared
    _check_keys(params, lines, above)
    try:
        read_selectors(params.get("selectors", {}))
    except BadSelector as wrong:
        trail = (*above, *(wrong.trail[1:] if bare else wrong.trail))
        raise BadInput(f"{lines.where(trail)}: {wrong}", hint=wrong.hint or _SEE) from wrong
    return params


def _declared(lines: Lines) -> tuple[dict[str, Any], tuple[str | int, ...]]:
    """The declaration and its position: at the top, or as the params of a catalogue's only source."""
    declared: Any = lines.value
    above: tuple[str | int, ...] = ()
    if (
        isinstance(declared, dict)
        and isinstance(declared.get("sources"), list)
        and len(declared["sources"]) == 1
    ):
        source = declared["sources"][0]
        declared = source.get("params") if isinstance(source, dict) else None
        above = ("sources", 0, "params")
    if not isinstance(declared, dict) or not declared:
        raise BadInput(f"{lines.where(above)}: a declaration begins with `selectors:`", hint=_SEE)
    return declared, above


_SEE = "docs/reference/selectors.md shows one"


def _check_keys(params: dict[str, Any], lines: Lines, above: tuple[str | int, ...]) -> None:
    unknown = next((key for key in params if key not in _KEYS), None)
    if unknown is not None:
        raise BadInput(
            f"{lines.where([*above, unknown])}: there is no field `{unknown}`",
            hint=f"known: {', '.join(sorted(_KEYS))}",
        )
    strategies = params.get("strategies", [])
    if not isinstance(strategies, list) or not set(map(str, strategies)) <= set(Strategy):
        raise BadInput(
            f"{lines.where([*above, 'strategies'])}: `strategies` is a list of {', '.join(Strategy)}",
            hint=_SEE,
        )
    if "selectors" not in params:
        raise BadInput(f"{lines.where(above)}: `selectors` is missing", hint=_SEE)
