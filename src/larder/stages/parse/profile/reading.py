"""Reads pages of a site that has an applied profile.

A page is read generally, as any other, and in addition by the profile's selectors. The choice between two
values is made when both are normalized. An index page is read by the profile's selectors only if the general
reading finds no rows.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from larder.core.model.item import Extracted, Failed, Item, ProfileValue, Strategy
from larder.core.model.outcome import FailReason
from larder.core.model.site_profile import PROFILE, SiteProfile
from larder.stages.parse.agenda.start_times import time_in
from larder.stages.parse.declared import SKIPPED_ELEMENTS
from larder.stages.parse.extraction_task import ExtractionTask

_WHEN = frozenset({"starts_at", "ends_at", "date_text"})
"""Fields that each of several shows has: a selector finds only one of them."""
_OPENING = re.compile(r"<(\w+)(?:[^>]*?\sclass=[\"']?([^\"'>]*))?")
Read: TypeAlias = Callable[[ExtractionTask, Sequence[Strategy]], Extracted | Failed]


def read_profiled(
    task: ExtractionTask, profile: SiteProfile, strategies: Sequence[Strategy], read: Read
) -> Extracted | Failed:
    """The result for the page; `task.declared` are the profile's selectors, or their current form."""
    learned = ("index" if task.wants_rows else "detail") in profile.selectors
    if task.declared is None or not learned:
        return read(task, strategies)
    unaided = [each for each in strategies if each is not Strategy.SELECTORS]
    general = read(replace(task, declared=None), unaided)
    if task.wants_rows:
        return general if _has_rows(general) else read(task, strategies)
    return _with_values(task, profile, general)


def _has_rows(reading: Extracted | Failed) -> bool:
    """Whether it has rows, or selectors could not do better.

    A refusal, or a page that says that it has none.
    """
    if isinstance(reading, Failed):
        return reading.reason is FailReason.BLOCKED_PAGE
    return bool(reading.items) or reading.advertised == 0


def _with_values(
    task: ExtractionTask, profile: SiteProfile, general: Extracted | Failed
) -> Extracted | Failed:
    """The page's only item with values of the profile; with those alone if the general reading failed."""
    if isinstance(general, Extracted) and _distinct_urls(general) > 1:
        return general
    if isinstance(general, Failed) and general.reason is FailReason.BLOCKED_PAGE:
        return general
    values = _values(task, profile)
    if isinstance(general, Extracted) and general.items:
        shows = _shows(general.items)
        own = tuple(each for each in values if each.field not in _WHEN) if len(shows) > 1 else values
        return replace(general, items=tuple(replace(item, profile=own) for item in shows))
    if not any(each.field == "title" and each.raw for each in values):
        return general
    item = Item(fields={}, strategy=PROFILE, score=0.9, profile=values)
    return Extracted(items=(item,), strategy=PROFILE, notes=general.notes)


def _distinct_urls(general: Extracted) -> int:
    """Whether things have addresses of their own, which makes them a list.

    Several dates without are one thing.
    """
    return len({item.fields.get("url") for item in general.items})


def _shows(items: Sequence[Item]) -> Sequence[Item]:
    """All items if each is a show of the page's one title with a time, in equal rows; else the first."""
    titles = {str(item.fields.get("title")).casefold() for item in items}
    times = {str(item.fields.get("starts_at") or item.fields.get("date_text") or "") for item in items}
    timed = all("T" in each[:11] or time_in(each) for each in times)
    forms = {_OPENING.match(item.block.lstrip()) for item in items}
    same_form = len({found and found.groups() for found in forms}) == 1
    return items if same_form and len(titles) == 1 and len(times) == len(items) and timed else items[:1]


def _values(task: ExtractionTask, profile: SiteProfile) -> tuple[ProfileValue, ...]:
    """The profile's values.

    A field that a person added to the selectors has no proof, and counts as a person's.
    """
    fields = task.declared.fields if task.declared is not None else ()
    return tuple(
        ProfileValue(
            field=each.name,
            raw=each.read(task.page.tree, SKIPPED_ELEMENTS.get(each.name)),
            better=each.name not in profile.fields or profile.fields[each.name].better,
        )
        for each in fields
    )
