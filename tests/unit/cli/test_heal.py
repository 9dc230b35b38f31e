"""`larder adapter heal`: what a person sees of repairs, and what can be ordered."""

import asyncio
from datetime import UTC, datetime

import pytest
from sqlalchemy import Connection

from larder.actions.sources.repairs import SourceRepairs
from larder.cli.adapter.repair_view import draw_healing
from larder.store.database import open_database
from larder.store.operations import repairs
from larder.store.operations.repairs import NewRepair
from larder.store.operations.selector_questions import SelectorQuestion
from tests.unit.cli.conftest import Shell

NOW = datetime(2026, 3, 2, tzinfo=UTC)
FILE = """
selectors:
  index: {row: article, fields: {title: h2, url: h2 a@href, price: .price}}
"""


@pytest.fixture
def declared(larder: Shell) -> Shell:
    """A Larder with one source that is read by selectors."""
    path = larder.folder / "homes.yaml"
    path.write_text(FILE)
    url = "https://homes.example/list"
    assert larder("source", "add", url, "--file", str(path), "--kind", "listing", "--slug", "homes").code == 0
    return larder


def suggest(shell: Shell, *, proven: bool, figures: dict[str, int] | None = None) -> None:
    proof = {
        "proven": proven,
        "since_page": 1,
        "agreed": 12,
        "examples": [["€ 1,250", "1.250,00 EUR"]],
        "doubts": [] if proven else ["price: another amount is shown beside it (€ 999)"],
        "figures": figures or {"pages": 3, "recognised": 12},
    }
    price = NewRepair(field="index.fields.price", before=".price", after=".amount", proof=proof)

    def write(conn: Connection) -> None:
        repairs.suggest(conn, 1, "listing", "index", [price], now=NOW)

    async def work() -> None:
        database = open_database(f"sqlite:///{shell.data / 'larder.db'}")
        await database.run(write)
        await database.close()

    asyncio.run(work())


def test_where_nothing_ran_there_is_nothing_to_look_at(declared: Shell) -> None:
    assert "homes has no stored pages of a last run to compare" in declared("adapter", "heal", "homes").out


def test_where_all_is_well_it_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    draw_healing(SourceRepairs(source="homes", run=1, suggested=(), applied=(), earlier=()))
    assert capsys.readouterr().out == "All selectors of homes still match.\n"


def test_the_proof_is_shown_applied_and_taken_back(declared: Shell) -> None:
    suggest(declared, proven=True)
    shown = declared("adapter", "heal", "homes").out
    for said in ("index.fields.price", ".amount", "€ 1,250", "1.250,00 EUR", "12 known records recognised"):
        assert said in shown
    assert "larder adapter heal homes --apply" in shown
    (mended,) = declared("adapter", "heal", "homes", "--apply", "--json").json["applied"]
    assert (mended["before"], mended["after"], mended["status"]) == (".price", ".amount", "applied")
    assert "Repaired" in declared("adapter", "heal", "homes").out
    back = declared("adapter", "heal", "homes", "--take-back", "--json").json
    assert (back["applied"], back["earlier"][0]["status"]) == ([], "taken_back")


def test_a_doubt_is_told_and_nothing_is_applied(declared: Shell) -> None:
    suggest(declared, proven=False)
    assert "another amount is shown beside it (€ 999)" in declared("adapter", "heal", "homes").out
    error, hint = declared("adapter", "heal", "homes", "--apply").complaint
    assert error == "nothing is proven for homes"
    assert hint == "unproven: price: another amount is shown beside it (€ 999): larder adapter heal homes"


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("nowhere",), "there is no source 'nowhere'"),
        (("homes", "--apply", "--take-back"), "--apply and --take-back exclude each other"),
        (("homes", "--take-back"), "no repair of homes is applied"),
    ],
)
def test_what_cannot_be_done_is_said(declared: Shell, args: tuple[str, ...], said: str) -> None:
    answered = declared("adapter", "heal", *args)
    assert answered.complaint[0] == said
    assert answered.code == 2


def test_a_model_is_asked_only_where_one_is_configured(declared: Shell) -> None:
    suggest(declared, proven=False)
    said = declared("adapter", "heal", "homes", "--ask")
    assert said.code == 2
    assert "no selector of homes waits" in said.err, "of no run, so that nothing could prove an answer"
    both = declared("adapter", "heal", "homes", "--ask", "--apply")
    assert "exclude each other" in both.err


def test_what_a_model_named_is_shown_with_its_proof(capsys: pytest.CaptureFixture[str]) -> None:
    asked = SelectorQuestion(
        part="index",
        layout="since page 2",
        asked_at="2026-03-02T10:11:12+00:00",
        model="m-1",
        fields=["index.fields.price"],
        selectors={"index.fields.price": [".ico-eur + b", "b.amount"]},
        refused={"not a plain selector": 2},
        outcome="proven",
    )
    draw_healing(SourceRepairs(source="homes", run=1, suggested=(), applied=(), earlier=(), asked=[asked]))
    shown = capsys.readouterr().out
    for words in ("m-1, 2026-03-02 10:11", ".ico-eur + b, b.amount", "2 × not a plain selector", "proven"):
        assert words in shown


def test_one_of_a_kind_is_said_in_the_singular(declared: Shell) -> None:
    suggest(declared, proven=False, figures={"pages": 1, "archived": 2, "rows": 1, "recognised": 1})
    shown = declared("adapter", "heal", "homes").out
    assert "1 new page, 2 archived pages, 1 item read, 1 known record recognised" in shown
