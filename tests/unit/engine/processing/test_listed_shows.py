"""Shows that an event's own page lists are events of their own; other days that it names are not."""

from dataclasses import replace

from larder.core.model.identity import url_key
from larder.core.model.item import Item, Staged
from larder.core.model.job import Purpose
from larder.core.model.source import Kind, Source
from larder.engine.processing.item_reasons import with_reasons

PLAY = "https://theatre.test/play"
ROW = '<li class="show">'


def show(starts: str, *, title: str = "Play", timed: bool = True) -> Staged:
    return Staged(
        kind=Kind.EVENT,
        identity_key=url_key(PLAY),
        url=PLAY,
        canonical_url=PLAY,
        fields={"title": title, "starts_at": f"{starts}:00+01:00", "time_known": timed},
        strategies={},
        fingerprint=f"{title} {starts[:10]}",
    )


def kept(*rows: Staged, blocks: tuple[str, ...] = ()) -> list[Staged]:
    source = Source(
        id=1, slug="t", name="T", site_id=1, adapter="event", url="https://theatre.test/", kind=Kind.EVENT
    )
    forms = blocks or (ROW,) * len(rows)
    items = [Item(fields=row.fields, block=form) for row, form in zip(rows, forms, strict=True)]
    found = with_reasons(items, rows, source=source, purpose=Purpose.DETAIL)
    return [each for each in found if isinstance(each, Staged)]


def test_several_times_of_a_day_are_shows_and_the_first_stays_the_page_s_event() -> None:
    rows = [show(f"2026-11-20T{clock}") for clock in ("11:00", "13:30", "15:00")]
    found = kept(*rows)
    assert [each.clock for each in found] == ["11:00", "13:30", "15:00"]
    assert found[0] == rows[0]
    assert len({each.identity_key for each in found}) == len({each.fingerprint for each in found}) == 3


def test_several_days_with_their_times_are_performances() -> None:
    rows = [show("2026-11-20T20:00"), show("2026-11-21T18:00"), show("2026-11-21T21:00")]
    found = kept(*rows)
    assert [each.fields["starts_at"] for each in found[:2]] == [each.fields["starts_at"] for each in rows[:2]]
    assert found[0] == rows[0]
    assert len({each.identity_key for each in found}) == len(found)


def test_a_day_beside_the_list_is_no_show() -> None:
    rows = [show("2026-11-20T20:00"), show("2026-11-18T12:00")]
    assert kept(*rows, blocks=(ROW, "<p>")) == rows[:1]


def test_days_without_times_are_one_event() -> None:
    rows = [show("2026-11-20T00:00", timed=False), show("2026-11-21T00:00", timed=False)]
    assert kept(*rows) == rows[:1]


def test_other_titles_are_other_things() -> None:
    other = replace(show("2026-11-21T20:00", title="Another play"), fingerprint="another")
    assert kept(show("2026-11-20T20:00"), other) == [show("2026-11-20T20:00")]
