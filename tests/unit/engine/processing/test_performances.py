"""Rows that share an address: performances of one production, or one event of several days."""

from larder.core.model.identity import url_key
from larder.core.model.item import Staged
from larder.core.model.source import Kind
from larder.engine.processing.performances import distinct_performances, with_undecided_performances

HAMLET, FAUST = "https://stage.test/hamlet", "https://stage.test/faust"


def row(url: str, day: str, *, timed: bool = True) -> Staged:
    return Staged(
        kind=Kind.EVENT,
        identity_key=url_key(url),
        url=url,
        canonical_url=url,
        fields={"title": url[-6:], "starts_at": f"{day}T20:00:00+00:00", "time_known": timed},
        strategies={},
        fingerprint=f"{url} {day}",
    )


def keys(*rows: Staged) -> list[str]:
    return [each.identity_key for each in distinct_performances(rows) if isinstance(each, Staged)]


def test_performances_have_keys_of_their_own_that_stay() -> None:
    first = keys(row(HAMLET, "2026-11-20"), row(HAMLET, "2026-11-27"), row(FAUST, "2026-11-21"))
    later = keys(row(HAMLET, "2026-11-27"), row(HAMLET, "2026-12-04"))
    assert len(set(first)) == 3
    assert url_key(HAMLET) not in first
    assert later[0] == first[1]


def test_an_event_of_several_days_is_one_event() -> None:
    days = [row(HAMLET, f"2026-11-{day}", timed=False) for day in (20, 21, 22)]
    assert set(keys(*days)) == {url_key(HAMLET)}


def test_performances_on_days_that_follow_each_other_are_told_by_their_times() -> None:
    assert len(set(keys(row(HAMLET, "2026-11-20"), row(HAMLET, "2026-11-21")))) == 2


def test_one_series_among_many_events_leaves_the_others_as_they_are() -> None:
    others = [row(f"https://stage.test/{n}", "2026-11-25") for n in range(6)]
    found = keys(row(HAMLET, "2026-11-20"), row(HAMLET, "2026-11-27"), *others)
    assert found[2:] == [each.identity_key for each in others]


def test_a_page_that_lists_its_performances_does_not_say_which_of_them_a_row_means() -> None:
    days = [row(HAMLET, f"2026-11-{day}") for day in (20, 24, 27)]
    assert [
        each.fields["time_known"] for each in with_undecided_performances(days) if isinstance(each, Staged)
    ] == [False] * 3
    assert with_undecided_performances(days[:2]) == days[:2]
