"""Labels between the title of an event and its days and times: none of them names anything."""

# ruff: noqa: E501 - a part of a page is one line

from larder.extraction import extract
from larder.stages.parse.agenda.status import status_of
from tests.unit.stages.parse.agenda.test_agendas import NAMES, NOW, each, read

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
    time = "<li><a href='/book/{4}' title='{3} - book {0} on {2} 2026 {4}'>{4}</a>{5}</li>"
    day = "<div class=times><div><b>{0}</b><br>{1}</div><ul>{3}</ul></div>"
    rows = []
    for name, link in NAMES:
        days = (("Friday", "16 Oct", "Peak"), ("Saturday", "17 Oct", "Saver"))
        club = "<i>Kids<br>Club</i>"
        shows = (((name, *when, "14:00", ""), (name, *when, "20:30", club)) for when in days)
        shown = "".join(day.format(*when, each(time, *own)) for when, own in zip(days, shows, strict=True))
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


def test_what_is_behind_a_day_is_its_weekday_or_a_place_and_no_title() -> None:
    flat = "<h3>October {2}(F), 2026</h3><h4>{0}</h4><p>1:00pm - 4:00pm</p><ul><li><a href='/{1}.pdf'>Agenda</a> (PDF)</li></ul>"
    shows = [(*name, str(day)) for name, day in zip(NAMES, (16, 23, 30), strict=True)]
    assert read(f"<h2>Workshops</h2>{each(flat, *shows)}") == [
        (name, f"2026-10-{day}T13:00") for name, _, day in shows
    ]
    card = "<a class=card href='/e/{1}'><span class=artist>{0}</span><span class=title>Friday {2} October<br> at The Arms, 7:00pm (18+)</span></a>"
    assert read(f"<h1>Events</h1>{each(card, *shows)}") == [
        (name, f"2026-10-{day}T19:00") for name, _, day in shows
    ]


def test_a_meetings_type_names_it_where_no_column_has_titles() -> None:
    row = "<tr><td><a href='/{1}'>{2}/10/26 - 4 p.m.</a></td><td>{0}</td><td><a href='/page/{1}'>Meeting Event Page</a></td></tr>"
    header = "<tr><td>Board Meeting Date</td><td>{}</td><td>Page With Links to Documents</td></tr>"
    shows = [(*name, str(day)) for name, day in zip(NAMES, (16, 23, 30), strict=True)]
    for kind in ("Board Meeting Type", "Meeting type"):
        table = f"<table>{header.format(kind)}{each(row, *shows)}</table>"
        assert [title for title, _ in read(f"<h1>Meetings</h1>{table}")] == [name for name, _ in NAMES]


def test_a_changed_time_is_a_status_and_a_link_to_a_video_no_part_of_a_title() -> None:
    row = "<div class=row><div><a href='/m/{1}'>Oct {2}, 2026 9:00 AM</a></div><div><a href='/v/{1}'>Video</a> {0}</div></div>"
    shows = [(*name, str(day)) for name, day in zip(NAMES, (16, 23, 30), strict=True)]
    found = read(f"<h1>Calendar</h1>{each(row, *shows)}")
    assert found == [(name, f"2026-10-{day}T09:00") for name, _, day in shows]
    assert status_of("LOCATION & TIME CHANGE") == "moved"


def test_days_that_each_stand_right_behind_a_heading_are_its_events() -> None:
    post = (
        "<h3>{0}</h3><p class=caption>{2}/10/2026</p><p>Friday {2} October</p><p>Cakes and tea.</p><p>---</p>"
    )
    shows = [(*name, str(day)) for name, day in zip(NAMES, (16, 23, 30), strict=True)]
    found = read(f"<h2>Events</h2><div>{each(post, *shows)}</div>", language="en-GB")
    assert found == [(name, f"2026-10-{day}") for name, _, day in shows]


def test_a_label_in_each_row_below_main_headings_leaves_them_the_titles() -> None:
    """One such heading a film: the days of all, or of the first, took the name of the site."""
    day = "<div class=row><div><h3>{0} Oct</h3></div><div><ol><li><span>14:00</span></li><li><a href='/b/{0}'>20:30</a><div class=tip><h2>Available types:</h2><ul><li>2D</li></ul></div></li></ol></div></div>"
    days = each(day, ("Friday 16th",), ("Saturday 17th",), ("Sunday 18th",))
    films = each(
        "<section><div><h1><a href='/f/{1}'>{0}</a></h1></div><div>{2}</div></section>",
        *((*name, days) for name in NAMES),
    )
    site = "<title>Film House</title><header><h1><a href='/'>Harbour Film House</a></h1></header>"
    found = extract(f"{site}{films}", url="https://a.test/cinemas/79", kind="event", now=NOW)
    assert [(item["title"], item["starts_at"][8:16]) for item in found.items] == [
        (name, f"{at}T{hour}") for name, _ in NAMES for at in (16, 17, 18) for hour in ("14:00", "20:30")
    ]
