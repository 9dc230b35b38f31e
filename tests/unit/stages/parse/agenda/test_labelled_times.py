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


def test_times_alone_are_named_by_the_heading_whatever_their_links_are_called() -> None:
    time = "<li><a href='/book/{2}' title='Peak - book {0} on {1} {2}'>{2}</a>{3}</li>"
    day = "<div class=times><div><b>{0}</b><br>{1}</div><ul>{2}</ul></div>"
    rows = []
    for name, link in NAMES:
        shows = ((name, "16/10/2026", "14:00", ""), (name, "16/10/2026", "20:30", "<i>Kids<br>Club</i>"))
        days = (("Friday", "16 Oct"), ("Saturday", "17 Oct"))
        shown = "".join(day.format(*when, each(time, *shows)) for when in days)
        rows.append(
            f"<div class=film><h4><a href='/film/{link}'>{name}</a></h4><a href='#'>in 2D</a>{shown}</div>"
        )
    starts = [f"2026-10-{at}" for at in ("16T14:00", "16T20:30", "17T14:00", "17T20:30")]
    assert read(f"<h1>Films</h1>{''.join(rows)}") == [(name, start) for name, _ in NAMES for start in starts]


def test_a_headline_in_one_of_several_like_rows_is_that_rows_alone() -> None:
    row = "<div class=card><a href='/e/{1}'><img></a><section><h1>{0}</h1><span class=time>{2}</span>{3}</section></div>"
    label = "<span class=btn>Public Booking Mon 12 Oct, 12pm</span>"
    rows = [
        (*name, f"{day} Nov", more)
        for name, day, more in zip(NAMES, (12, 13, 14), ("", label, ""), strict=True)
    ]
    for order in (rows, rows[::-1]):
        title = f"<title>{order[1][0]} - Royal House</title>"
        found = read(f"{title}<div>{each(row, *order)}</div>")
        assert found == [(name, f"2026-11-{day.split()[0]}") for name, _, day, _ in order]


def test_a_day_alone_heads_its_list_however_its_source_is_indented() -> None:
    gap = "\n" + " " * 60
    day = f"<div class=row><div class=side><div class=date><button>{gap}{{0}}{gap}<b>{{1}}</b>{gap}{{2}}{gap}</button></div></div><div class=shows>{{3}}</div></div>"
    entry = "<div class='row item'><div class=time>{2}</div><a href='/film/{1}'><div class=name>{0}</div></a></div>"
    shows = each(entry, *((*name, at) for name, at in zip(NAMES, ("14:30", "17:00", "20:15"), strict=True)))
    page = each(day, ("Fr", "16", "Okt", shows), ("Sa", "17", "Okt", shows), ("So", "18", "Okt", shows))
    assert read(f"<h2>Spielplan</h2>{page}", language="de") == [
        (name, f"2026-10-{at}T{start}")
        for at in (16, 17, 18)
        for (name, _), start in zip(NAMES, ("14:30", "17:00", "20:15"), strict=True)
    ]
