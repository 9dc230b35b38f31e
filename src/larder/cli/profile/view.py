"""Prints a site profile: the evidence for each field, and both readings where a person must choose."""

from collections.abc import Sequence
from typing import Any

from rich.text import Text

from larder.actions.sources.site_profiles import LearnedSource, ProfileField, ProfileView
from larder.cli.common.output import print_heading, print_table, print_text
from larder.core.model.site_profile import ReadingChoice, SampleReading
from larder.core.plurals import plural

_SAID = {
    ReadingChoice.PROFILE: (
        "The proof is good: the profile applies. What it misses is read generally.",
        "green",
    ),
    ReadingChoice.GENERAL: ("The general reading is used; the profile is kept aside.", "yellow"),
    ReadingChoice.UNDECIDED: ("The proof is weak: choose a reading.", "yellow"),
}


def draw_learned(learned: LearnedSource) -> None:
    """The profile, its evidence, and what to do."""
    cost = f"{learned.requests} requests" if learned.requests else "no request"
    print_text(Text(f"{plural(learned.details, 'detail page')} read, {cost}."))
    if learned.stopped:
        print_text(Text(f"Stopped: {learned.stopped}.", style="yellow"))
    if learned.profile is None:
        print_text(Text("No field of the index rows was found on the detail pages.", style="yellow"))
        return
    draw_profile(learned.profile)
    if learned.source and learned.profile.reading is ReadingChoice.UNDECIDED:
        command = f"larder source learn {learned.source} --reading profile|general"
        print_text(Text.assemble("Choose: ", (command, "bold")))


def draw_profile(profile: ProfileView) -> None:
    """Field by field; page by page where the proof is weak."""
    _draw_fields(profile.fields)
    said, style = _SAID[profile.reading]
    print_text(Text(said, style=style))
    if profile.samples:
        _draw_samples(profile.samples)


def _draw_fields(fields: Sequence[ProfileField]) -> None:
    print_table(
        ("field", "selector", "agrees with rows", "general reading", "proof"),
        (
            (
                Text(each.field, style="bold"),
                _selector(each.selector),
                f"{each.agreed} of {each.pages}",
                f"{each.general} of {each.pages}",
                Text("good", style="green") if each.proven else Text("weak", style="yellow"),
            )
            for each in fields
        ),
        empty="No field.",
    )


def _selector(declared: Any) -> str:
    if isinstance(declared, dict):
        rest = ", ".join(f"{name}: {value}" for name, value in declared.items() if name != "css")
        return f"{declared.get('css', '')} ({rest})"
    return " | ".join(map(_selector, declared)) if isinstance(declared, list) else str(declared)


def _draw_samples(samples: Sequence[SampleReading]) -> None:
    print_heading("Both readings")
    print_table(
        ("page", "field", "row", "general reading", "profile"),
        (
            (
                each.url,
                each.field,
                each.row,
                _mark(each.general, agrees=each.general_agrees),
                _mark(each.profile, agrees=each.profile_agrees),
            )
            for each in samples
        ),
        empty="No page.",
    )


def _mark(said: str, *, agrees: bool) -> Text:
    return Text(said or "nothing", style="green" if agrees else "yellow")
