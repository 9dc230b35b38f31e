"""The period of a rent, if its words are beside the amount in an element of their own."""

import re
from collections.abc import Sequence
from dataclasses import replace

from larder.core.model.item import Item
from larder.core.policy.rent_period import rent_period
from larder.sdk.page import Page
from larder.stages.parse.amounts import AMOUNT
from larder.stages.parse.index_rows.blocks import Block, row_blocks

MAX_WORDS = 24
"""Maximum characters after an amount that may name its period."""
MAX_ROW = 3_000

_NEXT = re.compile(r"\d|[€£$,;()]|\. |\bzzgl|\bplus\b")
"""The end of an amount's words: another number, or another part of a sentence."""
_TO = re.compile(r"\s*(?:[-–—]|to|bis|tot|à|a|al|do|till)\s*")
_OTHER_LABEL = re.compile(r"[^\W\d_]{3,}/")
"""`Ejerudgift/md.`: the label of the next amount."""
_LEADS = frozenset(
    {"/", "per", "pro", "par", "al", "por", "a", "à", "la", "le", "each", "p", "pr", "na", "za", "i"}
    | {"pp", "person", "persoon", "personne", "persona"}
)
MAX_LEADS = 4


def with_periods(items: Sequence[Item], page: Page) -> list[Item]:
    """The rows of an index, with the period beside their price."""
    blocks = {block.link.url: block for block in page.cached(row_blocks)}
    return [_with_period(item, blocks.get(str(item.fields.get("url") or ""))) for item in items]


def _with_period(item: Item, block: Block | None) -> Item:
    price = str(item.fields.get("price") or "")
    if block is None or not price or "period" in item.fields:
        return item
    period = next(
        (said for part in block.elements if (said := period_behind(price, part.text[:MAX_ROW]))), ""
    )
    return replace(item, fields={**item.fields, "period": period}) if period else item


def period_behind(price: str, text: str) -> str:
    """The period right after a price; empty if there is none."""
    amount = AMOUNT.search(price)
    if amount is None:
        return ""
    shown = " ".join(text.split())
    _, found, behind = shown.partition(" ".join(amount[0].split()))
    if (upper := AMOUNT.search(behind[:MAX_WORDS])) and _TO.fullmatch(behind[: upper.start()]):
        behind = behind[upper.end() :]  # `$1,450 - $1,900 /mo`
    words = _NEXT.split(behind[: 2 * MAX_WORDS].lstrip(" .,*+-–"), maxsplit=1)[0][:MAX_WORDS] if found else ""
    return _first_words_period(words)


def _first_words_period(words: str) -> str:
    """The period in the first words, up to one that does not belong to it."""
    said = ""
    for word in words.split()[:MAX_LEADS]:
        if _OTHER_LABEL.match(word):
            break
        said = f"{said} {word}"
        if period := rent_period(said):
            return period
        if word.strip(".*").lower() not in _LEADS:
            break
    return ""
