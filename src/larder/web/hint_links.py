"""Where a hint leads on the pages: errors name the command that helps, and a page has a link for it.

This is the one place that decides. A command becomes the page of its noun; what has no page is left out.
"""

import re
from dataclasses import dataclass
from urllib.parse import quote

_COMMAND = re.compile(r"larder (?P<noun>\w+)(?: (?P<verb>[a-z]+))?(?: (?P<which>\w[\w.-]*))?")
_LEADS_IN = re.compile(r"(?:[,;:]? ?\b(?:see|then|with|or now))?[ :;,]*$")
_LISTS = {
    "source": ("sources", "the sources"),
    "site": ("sites", "the sites"),
    "run": ("runs", "the runs"),
    "records": ("records", "the records"),
    "target": ("targets", "the targets"),
    "watch": ("watches", "the watches"),
    "adapter": ("adapters", "the adapters"),
    "quarantine": ("quarantine", "the quarantine"),
    "dead": ("dead", "the dead letters"),
    "proxy": ("proxies", "the proxies"),
    "key": ("keys", "the keys"),
}
_SINGLE = {
    "source": "/admin/sources/{}",
    "site": "/admin/sites/{}",
    "run": "/admin/runs/{}",
    "records": "/records/{}",
    "adapter": "/admin/adapters/{}",
    "adapter heal": "/admin/sources/{}/healing",
    "quarantine": "/admin/quarantine/{}",
    "dead": "/admin/dead/{}",
}
_NAMES = {"records": "record", "quarantine": "the item", "dead": "letter"}


@dataclass(frozen=True, slots=True)
class HintLink:
    """A hint for somebody in front of a page."""

    text: str
    href: str = ""
    label: str = ""


def hint_link(hint: str) -> HintLink:
    """The words of a hint, and the page that it leads to."""
    command = _COMMAND.search(hint)
    if command is None:
        return HintLink("" if "--" in hint else hint)
    text = _LEADS_IN.sub("", hint[: command.start()])
    noun, verb, which = command["noun"], command["verb"], command["which"]
    single = _SINGLE.get(f"{noun} {verb}") or _SINGLE.get(noun)
    if which and single:
        return HintLink(text, single.format(quote(which, safe="")), f"See {_NAMES.get(noun, noun)} {which}")
    if noun in _LISTS:
        path, label = _LISTS[noun]
        return HintLink(text, f"/admin/{path}", f"See {label}")
    return HintLink("")
