"""Prints a site profile: the evidence for each field, and both readings where a person must choose."""

from collections.abc import Sequence
from typing import Any

import orjson
from rich.text import Text

from larder.actions.sources.site_profiles import LearnedSource, ProfileField, ProfileView
from larder.cli.adapter.repair_view import draw_questions
from larder.cli.common.output import print_heading, print_table, print_text
from larder.core.model.site_profile import ReadingChoice, SampleReading
from larder.core.plurals import plural

_SAID = {
    ReadingChoice.PROFILE: (
        "The proof is good: the profile applies. Fields that it lacks come from the general reading.",
        "green",
    ),
    ReadingChoice.GENERAL: ("The general reading is used; the profile is stored, but not applied.", "yellow"),
    ReadingChoice.UNDECIDED: ("The proof is weak: choose a reading.", "yellow"),
}


def draw_learned(result: LearnedSource) -> None:
    """Print a learned profile, its evidence and the next step."""
    cost = plural(result.requests, "request") if result.requests else "no request"
    print_text(Text(f"{plural(result.details, 'detail page')} read, {cost}."))
    if result.stopped:
        print_text(Text(f"Stopped: {result.stopped}.", style="yellow"))
    if result.asked:
        draw_questions([result.asked])
    if result.profile is None:
        print_text(Text("No field of the index rows was found on the detail pages.", style="yellow"))
        return
    draw_profile(result.profile)
    if result.source and result.profile.reading is ReadingChoice.UNDECIDED:
        command = f"larder source learn {result.source} --reading profile|general"
        print_text(Text.assemble("Choose: ", (command, "bold")))


def draw_profile(profile: ProfileView) -> None:
    """Print the evidence for each field, and for each page if the proof is weak."""
    _draw_fields(profile.fields)
    label, style = _SAID[profile.reading]
    print_text(Text(label, style=style))
    if profile.samples:
        _draw_samples(profile.samples)


def _draw_fields(fields: Sequence[ProfileField]) -> None:
    print_table(
        ("field", "selector", "agrees with rows", "general reading", "proof"),
        (
            (
                Text(profile_field.field, style="bold"),
                _selector(profile_field.selector),
                f"{profile_field.agreed} of {profile_field.pages}",
                f"{profile_field.general} of {profile_field.pages}",
                _proof(profile_field),
            )
            for profile_field in fields
        ),
        empty="No field.",
    )


def _proof(profile_field: ProfileField) -> Text:
    author = " (language model)" if profile_field.proposed else ""
    if profile_field.proven:
        return Text(f"good{author}", style="green")
    return Text(f"weak{author}", style="yellow")


def _option(value: Any) -> str:
    return value if isinstance(value, str) else orjson.dumps(value).decode()


def _selector(declared: Any) -> str:
    if isinstance(declared, dict):
        options = ", ".join(f"{name}: {_option(value)}" for name, value in declared.items() if name != "css")
        return f"{declared.get('css', '')} ({options})"
    return " | ".join(map(_selector, declared)) if isinstance(declared, list) else str(declared)


def _draw_samples(samples: Sequence[SampleReading]) -> None:
    print_heading("Both readings")
    print_table(
        ("page", "field", "row", "general reading", "profile"),
        (
            (
                reading.url,
                reading.field,
                reading.row,
                _mark(reading.general, agrees=reading.general_agrees),
                _mark(reading.profile, agrees=reading.profile_agrees),
            )
            for reading in samples
        ),
        empty="No page.",
    )


def _mark(text: str, *, agrees: bool) -> Text:
    return Text(text or "nothing", style="green" if agrees else "yellow")
