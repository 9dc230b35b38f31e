"""What agendas write in Dutch, German and English, read on the first of February 2026, a Sunday."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from larder.stages.normalize.dates import When, parse_when

NOW = datetime(2026, 2, 1, 12, 0, tzinfo=ZoneInfo("Europe/Amsterdam"))

WRITTEN = [
    ("za 14 mrt 20:30", "2026-03-14 20:30"),
    ("14.03. – 16.03.", "2026-03-14..2026-03-16"),
    ("7/7-11/7/2026", "2026-07-07..2026-07-11"),
    ("18 this month 20:00", "2026-02-18 20:00"),
    ("28/12 – 3/1/2027", "2026-12-28..2027-01-03"),
    ("20 Dec 12 - 20 Jan 13", "2012-12-20..2013-01-20"),
    ("do. 5 februari 2026 om 20u15", "2026-02-05 20:15"),
    ("donderdag 5 februari 20.15u", "2026-02-05 20:15"),
    ("zo 8 maart 2026, 15.00 uur", "2026-03-08 15:00"),
    ("14 t/m 16 mrt", "2026-03-14..2026-03-16"),
    ("14 maart t/m 3 april 2026", "2026-03-14..2026-04-03"),
    ("28 februari - 2 maart 2026", "2026-02-28..2026-03-02"),
    ("vr 6 & za 7 maart", "2026-03-06..2026-03-07"),
    ("vanaf 12 maart", "2026-03-12"),
    ("elke zaterdag", "2026-02-07"),
    ("elke zaterdag 10:00 - 13:00", "2026-02-07 10:00"),
    ("iedere eerste zondag van de maand", "2026-02-01"),
    ("14|03", "2026-03-14"),
    ("14/03", "2026-03-14"),
    ("14-03-2026", "2026-03-14"),
    ("14-3", "2026-03-14"),
    ("2026-03-14 20:30", "2026-03-14 20:30"),
    ("2026-03-14T20:30:00+01:00", "2026-03-14 20:30"),
    ("20260314", "2026-03-14"),
    ("za 14 maart '26", "2026-03-14"),
    ("14 mrt. 2026 | 20:30 - 22:00", "2026-03-14 20:30"),
    ("zaterdag 14 maart 2026 van 20:30 tot 22:00 uur", "2026-03-14 20:30"),
    ("zaterdag 14 maart 2026 20:30u", "2026-03-14 20:30"),
    ("Zaterdag 14 maart - aanvang 20.30 uur (zaal open 19.30 uur)", "2026-03-14 20:30"),
    ("Deur open: 19:30 Aanvang: 20:30 14 maart 2026", "2026-03-14 20:30"),
    ("14 maart 2026 half negen 's avonds", "2026-03-14 20:30"),
    ("14 maart 20 uur", "2026-03-14 20:00"),
    ("14 maart 20h30", "2026-03-14 20:30"),
    ("morgen 20:00", "2026-02-02 20:00"),
    ("overmorgen", "2026-02-03"),
    ("vanavond 20.30", "2026-02-01 20:30"),
    ("vandaag", "2026-02-01"),
    ("aanstaande vrijdag", "2026-02-06"),
    ("a.s. zaterdag 20:00", "2026-02-07 20:00"),
    ("komend weekend", "2026-02-07"),
    ("dit weekend", "2026-01-31"),
    ("eind maart", "2026-03"),
    ("begin april 2026", "2026-04"),
    ("maart 2026", "2026-03-01"),
    ("Sa, 14. März 2026, 20:30 Uhr", "2026-03-14 20:30"),
    ("Samstag, 14.03.2026 20.30 Uhr", "2026-03-14 20:30"),
    ("14. März", "2026-03-14"),
    ("14.–16. März 2026", "2026-03-14..2026-03-16"),
    ("vom 14. bis 16. März 2026", "2026-03-14..2026-03-16"),
    ("14.03.26", "2026-03-14"),
    ("Fr 6.3. 19 Uhr", "2026-03-06 19:00"),
    ("ab 12. März", "2026-03-12"),
    ("jeden Samstag", "2026-02-07"),
    ("morgen um 20 Uhr", "2026-02-02 20:00"),
    ("Sat 14 Mar 2026 8:30pm", "2026-03-14 20:30"),
    ("Saturday, March 14th, 2026 at 8:30 PM", "2026-03-14 20:30"),
    ("March 14 @ 8:30 pm - 10:00 pm", "2026-03-14 20:30"),
    ("Mar 14 – Mar 16, 2026", "2026-03-14..2026-03-16"),
    ("March 14-16, 2026", "2026-03-14..2026-03-16"),
    ("14th of March 2026", "2026-03-14"),
    ("Every Saturday", "2026-02-07"),
    ("tomorrow at noon", "2026-02-02 12:00"),
    ("Doors 7pm / Show 8pm, Sat Mar 14", "2026-03-14 20:00"),
    ("14 maa 2026", "2026-03-14"),
    ("wo 4 mrt '26 / 20.15", "2026-03-04 20:15"),
    ("Za 14 mrt 2026 • 20:30", "2026-03-14 20:30"),
    ("ZA 14 MRT", "2026-03-14"),
    ("14 MRT 2026", "2026-03-14"),
    ("14mrt", "2026-03-14"),
    ("Zaterdag14maart2026", "2026-03-14"),
    ("za14mrt", "2026-03-14"),
    ("14 mrt 26", "2026-03-14"),
    ("mrt 14", "2026-03-14"),
    ("14 jan 2027 20:15", "2027-01-14 20:15"),
    ("15 jan", "2027-01-15"),
    ("ma 2 feb t/m zo 8 feb", "2026-02-02..2026-02-08"),
    ("2 feb 2026 t/m 8 feb 2026", "2026-02-02..2026-02-08"),
    ("t/m 15 maart", "..2026-03-15"),
    ("tot en met 15 maart 2026", "..2026-03-15"),
    ("nog t/m 15 maart", "..2026-03-15"),
    ("za 14 maart, zo 15 maart", "2026-03-14"),
    ("14, 15 en 16 maart 2026", "2026-03-14"),
    ("1 februari 2026 - 13:00", "2026-02-01 13:00"),
    ("vrijdag 13 februari 2026 20:30 tot 01:00", "2026-02-13 20:30"),
    ("vr 13 feb 22:00 - za 14 feb 04:00", "2026-02-13 22:00"),
    ("Vrijdag 13 februari, 21:00 – 02:00", "2026-02-13 21:00"),
    ("Vr 13 feb 2026 20.00 u.", "2026-02-13 20:00"),
    ("13 februari 2026 20u", "2026-02-13 20:00"),
    ("13 februari 2026, 20 u 30", "2026-02-13 20:30"),
    ("2e paasdag", "2026-04-06"),
    ("eerste kerstdag 2026", "2026-12-25"),
    ("Hemelvaartsdag", "2026-05-14"),
    ("Koningsdag", "2026-04-27"),
    ("oudejaarsavond", "2026-12-31"),
    ("over twee weken", "2026-02-15"),
    ("over 3 dagen", "2026-02-04"),
    ("zaterdagavond 14 maart", "2026-03-14"),
    ("zaterdagmiddag 14 maart 14:00", "2026-03-14 14:00"),
    ("zo. 01-03-2026 15:00", "2026-03-01 15:00"),
    ("01.03.2026", "2026-03-01"),
    ("1 mrt 2026 15:00 uur - 17:00 uur", "2026-03-01 15:00"),
    ("Datum: 14 maart 2026 Tijd: 20:30", "2026-03-14 20:30"),
    ("Wanneer? Zaterdag 14 maart om 20.30 uur", "2026-03-14 20:30"),
    ("14 maart 2026 12:00 - 16 maart 2026 18:00", "2026-03-14 12:00"),
    ("van 14 tot 16 maart", "2026-03-14..2026-03-16"),
    ("van vrijdag 13 tot en met zondag 15 maart", "2026-03-13..2026-03-15"),
    ("13/14/15 maart 2026", "2026-03-13"),
    ("za 14-03", "2026-03-14"),
    ("za 14/3 20:30", "2026-03-14 20:30"),
    ("za 14.03 20:30", "2026-03-14 20:30"),
    ("14 Maart 2026 (za)", "2026-03-14"),
    ("20:30 uur, zaterdag 14 maart", "2026-03-14 20:30"),
    ("za 14 maart 2026 | Grote Zaal | 20:15", "2026-03-14 20:15"),
    ("uitverkocht za 14 maart 20.15", "2026-03-14 20:15"),
    ("di 24 feb '26 20:15 - 22:00", "2026-02-24 20:15"),
    ("woensdag 18 februari om acht uur 's avonds", "2026-02-18 20:00"),
    ("24 december t/m 2 januari", "2026-12-24..2027-01-02"),
    ("14.03.2026–16.03.2026", "2026-03-14..2026-03-16"),
    ("14/03/2026-16/03/2026", "2026-03-14..2026-03-16"),
    ("14.3.-16.3.2026", "2026-03-14..2026-03-16"),
    ("14.03.26-16.03.26", "2026-03-14..2026-03-16"),
    ("Jusqu'au 16 mars 2026", "..2026-03-16"),
    ("hasta el 16 de marzo de 2026", "..2026-03-16"),
]


def told(when: When, like: str) -> str:
    """A day, a moment or a stretch, written as the expected one is."""
    if ".." in like:
        begin = "" if like.startswith("..") else f"{when.start:%Y-%m-%d}"
        return f"{begin}..{when.end:%Y-%m-%d}" if when.end else begin
    return f"{when.start:%Y-%m-%d %H:%M}"[: len(like)]


@pytest.mark.parametrize(("text", "expected"), WRITTEN, ids=[text for text, _ in WRITTEN])
def test_a_date_is_read_as_people_mean_it(text: str, expected: str) -> None:
    when = parse_when(text, now=NOW, languages=("nl", "en", "de"))
    assert when is not None
    assert told(when, expected) == expected
    assert when.time_known == (" " in expected) or ".." in expected or ":" in text


def test_words_between_two_times_make_a_stretch() -> None:
    for until in ("até", "até às", "jusqu'à", "til"):
        when = parse_when(f"14/03/2026 de 09:00 {until} 11:00", now=NOW, languages=("pt", "fr", "da"))
        assert when is not None
        assert when.end is not None
        assert (f"{when.start:%H:%M}", f"{when.end:%H:%M}") == ("09:00", "11:00"), until


@pytest.mark.parametrize(
    ("text", "start", "timed"),
    [
        ("14 maart t/m 3 april 2026, 10:00 - 17:00", "2026-03-14 00:00", False),
        ("14. März bis 3. April 2026, Di-So 11-18 Uhr", "2026-03-14 00:00", False),
        ("14 March – 3 April 2026, Tue–Sun 11am–5pm", "2026-03-14 00:00", False),
        ("t/m 3 april 2026, di t/m zo 11.00-17.00", "2026-02-01 00:00", False),
        ("14 maart t/m 3 april 2026, 20:30", "2026-03-14 20:30", True),
        ("vr 13 t/m zo 15 maart 2026, 10:00 - 17:00", "2026-03-13 10:00", True),
    ],
)
def test_opening_hours_over_weeks_are_no_starting_time(text: str, start: str, timed: bool) -> None:
    when = parse_when(text, now=NOW, languages=("nl", "en", "de"))
    assert when is not None
    assert (f"{when.start:%Y-%m-%d %H:%M}", when.time_known) == (start, timed)
