"""Completes a list with rows of the same class: siblings of another structure, and rows nested too deep.

A row that does not close a tag holds the rows behind it: they have other tags above them, but the same class.
What stands elsewhere and lacks the class that all others have is no row, whatever its class of a layout.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import islice

from turbohtml import Element

from larder.stages.parse.heuristic.page_position import lineage

MAX_SIBLINGS = 4_000
MAX_DEEPER = 3
"""Maximum levels below a row at which an element of its class is a row of the same list."""
MAX_LEVELS = 2 * MAX_DEEPER
MIN_NAME = 4
LIST_LEVELS = 4
"""Maximum levels above a list within which another of the same class belongs to it."""
MAX_LISTS = 400
_ROOTS = frozenset({"html", "body", "main"})
_DIGITS = "0123456789"
MIN_SHARED = 0.9
"""Minimum share of rows with a class; the few rows without it are removed."""
_LAYOUT = re.compile(
    r"(?:row|grid|col|cols|column|columns|container|clearfix|cf|flex|inline|block|relative|pull|push|"
    r"float|hidden|visible|[mp][xytrbl]?|[wh]|d|g|text|bg|border|shadow|rounded)(?:-[\w:/.-]*)?|"
    r"(?:odd|even|first|last|left|right)"
)
"""Matches classes of layout, which name nothing: `row`, `col-sm-4`, `d-flex`, `mb-3`."""
_TURN = re.compile(r"[-_]?(?:odd|even|alt(?:ernate)?|first|last)$", re.IGNORECASE)


def with_rows_of_same_class(found: Sequence[Element]) -> list[Element]:
    """These rows, with the elements between and inside them that have the same class."""
    if len(inner := _unwrapped(found)) > len(found):
        return inner
    return _with_nested(_with_siblings(_of_one_class(found)))


def _unwrapped(found: Sequence[Element]) -> list[Element]:
    """The elements inside of nameless wrappers, with all of their class in the list around them.

    Every few rows of such a list may have one wrapper more.
    """
    inner = [_inside(each) for each in found]
    shared = set.intersection(*(set(_names(each)) for each in inner)) if inner else set()
    names = sorted((name for name in shared if _can_select(name, _DIGITS)), key=len)
    if not names or any(each is wrapper for each, wrapper in zip(inner, found, strict=True)):
        return list(found)
    around = _around_all(inner)
    return [*around.select(f"{inner[0].tag}.{names[-1]}")] if around is not None else list(found)


def _inside(wrapper: Element) -> Element:
    """The first element with a class that a wrapper without one contains alone."""
    for _ in range(MAX_DEEPER):
        parts = [node for node in wrapper.children if isinstance(node, Element)]
        if _names(wrapper) or len(parts) != 1:
            break
        wrapper = parts[0]
    return wrapper


def _around_all(rows: Sequence[Element]) -> Element | None:
    """The nearest element around all rows, a few levels up; None for the page's body."""
    lines = [lineage(row, MAX_LEVELS) for row in rows]
    for node in lines[0]:
        if all(node in line for line in lines):
            return node if isinstance(node, Element) and node.tag not in _ROOTS else None
    return None


def _of_one_class(found: Sequence[Element]) -> Sequence[Element]:
    """Removes the few that lack the class of all others and have another parent than those."""
    counts = Counter(name for element in found for name in set(_names(element)))
    shared, most = counts.most_common(1)[0] if counts else ("", 0)
    if not shared or not MIN_SHARED * len(found) <= most < len(found):
        return found
    holders = {element.parent for element in found if shared in _names(element)}
    return [each for each in found if each.parent in holders or shared in _names(each)]


def _with_siblings(found: Sequence[Element]) -> list[Element]:
    rows = set(found)
    row_classes = {(name, element.tag) for element in found for name in _kinds(element)}
    common = Counter(name for element in found for name in _kinds(element))
    ordered: dict[Element, None] = {}
    own, alike_lists = dict.fromkeys(element.parent for element in found), _like_lists(found)
    for parent in alike_lists if own.keys() <= set(alike_lists) else own:
        for child in islice(parent.children if parent is not None else (), MAX_SIBLINGS):
            if not isinstance(child, Element):
                continue
            same_class = any(
                (name, child.tag) in row_classes and common[name] * 2 >= len(found) for name in _kinds(child)
            )
            if child in rows or same_class:
                ordered[child] = None
    return list(ordered)


def _like_lists(found: Sequence[Element]) -> list[Element]:
    """Lists with the same class near the rows' own: promoted rows are in a list before the others."""
    parent = found[0].parent if found else None
    if not isinstance(parent, Element) or not (names := _names(parent)):
        return []
    around = [
        node for node in lineage(parent, LIST_LEVELS) if isinstance(node, Element) and node.tag != "body"
    ]
    if not around:
        return []
    return [each for each in around[-1].select(parent.tag)[:MAX_LISTS] if _names(each) == names]


def _with_nested(rows: list[Element]) -> list[Element]:
    """Adds the rows nested in others, or in elements between or beside them: all have one class."""
    counts = Counter((row.tag, name) for row in rows for name in set(_names(row)))
    shared = [named for named, count in counts.items() if count == len(rows) and _can_select(named[1])]
    parents = {row.parent for row in rows}
    if not shared or len(parents) != 1 or not isinstance(parent := parents.pop(), Element):
        return rows
    tag, name = max(shared, key=lambda named: len(named[1]))
    names = {each for _, each in shared}
    inside = _list_around(parent, tag, names)
    same_class = inside.select(f"{tag}.{name}")
    if len(same_class) <= len(rows):
        return rows
    return [
        each for each in same_class if names.issubset(_names(each)) and inside in lineage(each, MAX_LEVELS)
    ]


def _list_around(parent: Element, tag: str, names: set[str]) -> Element:
    """The element around the rows; if that has a row's class itself, its parent."""
    for node in (parent, *lineage(parent, MAX_DEEPER)):
        if isinstance(node, Element) and node.tag == tag and names.issubset(_names(node)):
            return node.parent if isinstance(node.parent, Element) else parent
    around = parent.parent  # a promoted row may precede the list of the others
    return around if isinstance(around, Element) and around.tag not in _ROOTS else parent


def _names(element: Element) -> list[str]:
    """Its classes without those of layout, unless it has no others."""
    names = (element.attr("class") or "").split()
    return [name for name in names if _LAYOUT.fullmatch(name) is None] or names


def _kinds(element: Element) -> set[str]:
    """Its classes without what tells every second row from the others: `listing-odd`, `listing-even`."""
    return {_TURN.sub("", name) or name for name in _names(element)}


def _can_select(name: str, besides: str = "") -> bool:
    """Whether it is a class of at least `MIN_NAME` characters that needs no escape in a selector."""
    letters = name.translate(str.maketrans("", "", f"-_{besides}"))
    return len(name) >= MIN_NAME and letters.isalpha() and name[0].isalpha()
