"""A site is a registrable domain. It owns politeness and compliance for every host below it."""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum


class Preset(StrEnum):
    """Named rate limits; `POLITENESS` has their numbers."""

    GENTLE = "gentle"
    CLASSIFIEDS = "classifieds"
    CRAWLER = "crawler"


@dataclass(frozen=True, slots=True, kw_only=True)
class Politeness:
    """At least `spacing` apart (a random moment up to `spacing_max`), `at_once` in flight."""

    spacing: timedelta
    spacing_max: timedelta
    at_once: int

    def slower(self, crawl_delay: timedelta | None) -> "Politeness":
        """The larger of our own spacing and the site's crawl-delay wins."""
        if crawl_delay is None or crawl_delay <= self.spacing:
            return self
        return Politeness(
            spacing=crawl_delay, spacing_max=max(crawl_delay, self.spacing_max), at_once=self.at_once
        )

    def shared_by(self, parts: int) -> "Politeness":
        """The limits of several routes together, each of which keeps these."""
        return Politeness(
            spacing=self.spacing / parts, spacing_max=self.spacing_max / parts, at_once=self.at_once * parts
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteTerms:
    """An operator's decision about a site; empty where the site is unknown."""

    domain: str
    blocked: bool = False
    reviewed: bool = False
    """Somebody has read its terms."""


POLITENESS = {
    Preset.GENTLE: Politeness(spacing=timedelta(seconds=2), spacing_max=timedelta(seconds=2), at_once=1),
    Preset.CLASSIFIEDS: Politeness(
        spacing=timedelta(seconds=0.5), spacing_max=timedelta(seconds=2), at_once=2
    ),
    Preset.CRAWLER: Politeness(spacing=timedelta(seconds=1), spacing_max=timedelta(seconds=1), at_once=5),
}
