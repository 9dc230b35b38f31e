"""Labels between the title of an event and its days and times: none of them names anything."""

# ruff: noqa: E501 - a part of a page is one line

from tests.unit.stages.parse.agenda.test_agendas import NAMES, each, read

FILMS = ("The Harbour (12)", "Night Train (PG)", "A Short Summer (15)")
DAYS = (("Friday 16th Oct", ("14:00", "20:30")), ("Saturday 17th Oct", ("11:15", "21:00")))


def film(title: str, heading: str) -> str:
    time = "<li><a href='/book/{0}'>{0}</a><div class=tip><h3>Shown in these formats:</h3><ul><li>2D</li></ul></div></li>"
    day = "<div class=row><div><h3>{0}</h3></div><div><ol>{1}</ol></div></div>"
    days = "".join(day.format(name, each(time, *((at,) for at in times))) for name, times in DAYS)
    facts = "<div><h3>Release date:</h3><p>2nd October 2026</p></div><h3>Cast:</h3><p>Jo Doe</p><h3>Shown in these formats</h3>"
    link = title.partition(" (")[0].lower().replace(" ", "-")
    return f"<div class=film><{heading}><a href='/film/{link}'>{title}</a></{heading}>{facts}<div>{days}</div></div>"


def test_a_films_heading_names_its_times_whatever_labels_stand_between() -> None:
    starts = ["2026-10-16T14:00", "2026-10-16T20:30", "2026-10-17T11:15", "2026-10-17T21:00"]
    for heading in ("h3", "h1"):
        found = read(f"<h1>Films</h1>{''.join(film(title, heading) for title in FILMS)}")
        assert found == [(title, start) for title in FILMS for start in starts]


def test_a_subtitle_that_styles_alone_part_from_its_title_has_room_before_it() -> None:
    row = "<article><a href='/e/{1}'><time>{2}</time><h2>{0}<span>{3}</span></h2></a></article>"
    rows = [(*name, f"1{at} Nov 2026", "Live on Deck") for at, name in enumerate(NAMES)]
    assert [title for title, _ in read(each(row, *rows))] == [f"{name} Live on Deck" for name, _ in NAMES]
