"""Days on which nothing takes place are no events; bands and plays with such names are."""

import pytest

from larder import extract

TITLES = ["Concert by the lake", "Winter market", "Jazz night", "Choir evening"]
NOTICES = [
    ("en", "No public skating on December 26"),
    ("en", "There is no performance on Saturday, December 26"),
    ("en", "The pool is closed on 26 December"),
    ("en", "We are closed December 25 and 26"),
    ("nl", "Geen voorstelling op 26 december"),
    ("nl", "Op 26 december is er geen vrij schaatsen"),
    ("nl", "Op 26 december zijn wij gesloten"),
    ("de", "Kein Eislauf am 26. Dezember"),
    ("de", "Am 26. Dezember geschlossen"),
    ("fr", "Pas de séance le 26 décembre"),
    ("fr", "Fermé le 26 décembre"),
    ("es", "No hay función el 26 de diciembre"),
    ("es", "Cerrado el 26 de diciembre"),
    ("it", "Nessuno spettacolo il 26 dicembre"),
    ("it", "Chiuso il 26 dicembre"),
    ("en", "No public skating December 26"),
    ("nl", "Geen rondleidingen 26 december"),
    ("nl", "Het museum is op 25 december en 1 januari gesloten."),
    ("nl", "Op woensdag 30 december sluiten we om 16.00 uur."),
    ("de", "Am 31. Dezember schließen wir um 14 Uhr"),
    ("fr", "Le musée est le 25 décembre fermé"),
    ("en", "No public skating December 26"),
    ("nl", "Geen rondleidingen 26 december"),
    ("nl", "Het museum is op 25 december en 1 januari gesloten."),
    ("nl", "Op woensdag 30 december sluiten we om 16.00 uur."),
    ("de", "Am 31. Dezember schließen wir um 14 Uhr"),
    ("fr", "Le musée est le 25 décembre fermé"),
    ("en", "No public skating December 26"),
    ("nl", "Geen rondleidingen 26 december"),
    ("nl", "Het museum is op 25 december en 1 januari gesloten."),
    ("nl", "Op woensdag 30 december sluiten we om 16.00 uur."),
    ("de", "Am 31. Dezember schließen wir um 14 Uhr"),
    ("fr", "Le musée est le 25 décembre fermé"),
    ("en", "No public skating December 26"),
    ("nl", "Geen rondleidingen 26 december"),
    ("nl", "Het museum is op 25 december en 1 januari gesloten."),
    ("nl", "Op woensdag 30 december sluiten we om 16.00 uur."),
    ("de", "Am 31. Dezember schließen wir um 14 Uhr"),
    ("fr", "Le musée est le 25 décembre fermé"),
    ("en", "No public skating December 26"),
    ("nl", "Geen rondleidingen 26 december"),
    ("nl", "Het museum is op 25 december en 1 januari gesloten."),
    ("nl", "Op woensdag 30 december sluiten we om 16.00 uur."),
    ("de", "Am 31. Dezember schließen wir um 14 Uhr"),
    ("fr", "Le musée est le 25 décembre fermé"),
    ("en", "No public skating December 26"),
    ("nl", "Geen rondleidingen 26 december"),
    ("nl", "Het museum is op 25 december en 1 januari gesloten."),
    ("nl", "Op woensdag 30 december sluiten we om 16.00 uur."),
    ("de", "Am 31. Dezember schließen wir um 14 Uhr"),
    ("fr", "Le musée est le 25 décembre fermé"),
    ("en", "No public skating December 26"),
    ("nl", "Geen rondleidingen 26 december"),
    ("nl", "Het museum is op 25 december en 1 januari gesloten."),
    ("nl", "Op woensdag 30 december sluiten we om 16.00 uur."),
    ("de", "Am 31. Dezember schließen wir um 14 Uhr"),
    ("fr", "Le musée est le 25 décembre fermé"),
]
FORMS = ["<li><h3>{}</h3></li>", "<li><h3><a href='/x'>{}</a></h3></li>", "</ul><p>{}</p><ul>"]


def titles(more: str, language: str = "en") -> list[str]:
    rows = "".join(
        f"<li><h3><a href='/e/{day}'>{title}</a></h3><p>2026-12-{day} 20:00</p></li>"
        for day, title in enumerate(TITLES, 10)
    )
    page = f"<html lang={language}><body><h1>Agenda</h1><ul>{rows}{more}</ul></body></html>"
    return [item["title"] for item in extract(page, url="https://x.test/agenda", kind="event").items]


@pytest.mark.parametrize("form", FORMS, ids=["row", "link", "paragraph"])
@pytest.mark.parametrize(("language", "notice"), NOTICES, ids=[notice for _, notice in NOTICES])
def test_a_day_on_which_nothing_takes_place_is_no_event(language: str, notice: str, form: str) -> None:
    assert titles(form.format(notice), language) == TITLES


@pytest.mark.parametrize("name", ["No Doubt", "Pas de deux", "Case Closed", "Geen Paniek", "Keine Angst"])
def test_a_name_that_sounds_like_a_notice_is_an_event(name: str) -> None:
    assert titles(f"<li><h3><a href='/e/1'>{name}</a></h3><p>26 December 2026</p></li>") == [*TITLES, name]
    assert titles(f"<li><h3><a href='/e/1'>{name} – 26 December 2026</a></h3></li>") == [*TITLES, name]
