"""Learns a source's site profile, and chooses between its reading and the general one."""

from dataclasses import replace
from enum import StrEnum
from typing import Annotated

import typer

from larder.actions.sources import site_profiles
from larder.actions.sources.site_profiles import LearnedSource
from larder.app import App
from larder.cli.common.output import JsonOption, print_result
from larder.cli.common.session import operator, with_app
from larder.cli.profile.view import draw_learned
from larder.core.errors import UsageError
from larder.core.model.site_profile import ReadingChoice

LearnOption = Annotated[
    bool,
    typer.Option("--learn", help="Learn its site profile now, from one index page and five detail pages."),
]


class ReadingName(StrEnum):
    """The readings that a person may choose."""

    PROFILE = "profile"
    GENERAL = "general"


ReadingOption = Annotated[
    ReadingName | None,
    typer.Option(help="Use the profile's reading or the general one, whatever the proof says."),
]


def learn(
    slug: Annotated[str, typer.Argument(help="The source's slug.", metavar="SOURCE")],
    *,
    reading: ReadingOption = None,
    ask: Annotated[
        bool, typer.Option("--ask", help="Ask the language model where rules find no place for a field.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Learn where a source's pages show their fields, and apply it if its proof is good.

    Pages of the last run are used where they are stored; else one index page and up to five detail pages are
    fetched within the site's rate limit. With `--reading`, a profile that is known is used or put aside.
    """
    if ask and reading:
        raise UsageError(
            "--ask and --reading exclude each other", hint=f"ask first: larder source learn {slug}"
        )
    result = (_ask(slug) if ask else None) or learn_now(slug, reading)
    print_result(result, as_json=as_json, draw=draw_learned)
    if result.profile is None:
        raise typer.Exit(1)


def _ask(slug: str) -> LearnedSource | None:
    """Ask the language model where fields are; None if nothing needs to be asked."""
    from larder.app.selector_questions import ask_for_profile  # noqa: PLC0415 - most commands never ask

    return with_app(lambda app: ask_for_profile(app, slug, who=operator()))


def learn_now(slug: str, reading: ReadingName | None) -> LearnedSource:
    """Learn the profile, unless one exists and only the reading is to be chosen."""
    return with_app(lambda app: _learn(app, slug, reading))


async def _learn(app: App, slug: str, reading: ReadingName | None) -> LearnedSource:
    profile = await app.read(site_profiles.find, slug)
    if profile is None or reading is None:
        result = await app.learn_profile(slug, who=operator())
    else:
        result = LearnedSource(source=slug, profile=profile, details=profile.pages, requests=0)
    if reading is None or result.profile is None:
        return result
    chosen, adapters = ReadingChoice(reading), app.dispatcher.adapters
    now = app.clock.now()
    view = await app.run(site_profiles.choose, slug, chosen, adapters, who=operator(), now=now)
    return replace(result, profile=view)
