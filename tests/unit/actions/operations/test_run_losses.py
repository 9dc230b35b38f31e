"""What a run lost, as people read it: also that it ended before its index did."""

from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

import pytest

from larder.actions.operations.run_losses import loss_figures, loss_lines
from larder.cli.run.view import draw_line, draw_runs
from larder.cli.status import losses_text
from larder.store.reads.operators.overview import LossCounts
from larder.store.reads.operators.runs import RunView

NOW = datetime(2026, 3, 2, tzinfo=UTC)
COUNTS = (
    "pages attempted failed extracted inserted updated unchanged dropped quarantined rows_shown "
    "pages_not_read open_jobs unknown_stock of_own_pages"
)
UNKNOWN = (
    "source adapter adapter_version finished_at advertised left_out not_read error_code error voided_at "
    "checks"
)


def run(**facts: Any) -> RunView:
    known = {
        **dict.fromkeys(COUNTS.split(), 0),
        **dict.fromkeys(UNKNOWN.split()),
        "id": 7,
        "region": None,
        "kind": "discovery",
        "status": "partial",
        "trigger": "scheduled",
        "started_at": NOW,
    }
    return RunView(**{**known, **facts})


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("index_unreadable", "an index page could not be read: the rows behind it are not known"),
        ("next_page_unknown", "the last index page says that more rows follow but links to none of them"),
    ],
)
def test_a_run_that_ended_before_its_index_is_lossy_and_says_so(code: str, says: str) -> None:
    ended = run(error_code=code, pages=1, rows_shown=30)
    assert ended.lossy
    assert [line.says for line in loss_lines(ended)] == [says]


def test_a_run_that_read_all_is_not() -> None:
    ended = run(status="completed", pages=1, rows_shown=30)
    assert not ended.lossy
    assert loss_lines(ended) == []


def test_one_is_one() -> None:
    left = {"items": 1, "details": "a.test: timed out", "page": "http://a.test/1"}
    ended = run(rows_shown=1, extracted=1, inserted=1, pages_not_read=1, not_read={"timeout": left})
    assert loss_figures(ended) == "1 row seen, 1 item read, 1 stored, 1 page not read"
    assert [line.says for line in loss_lines(ended)] == ["1 page not read: timeout (a.test: timed out)"]


def test_l10_8_after_a_selector_that_finds_nothing_comes_healing() -> None:
    left = {"items": 2, "details": "the declared selector of price finds nothing", "page": "http://a.test/1"}
    both = run(source="shop", left_out={"selector_failure": left, "invalid_price": left})
    todo = [line.todo for line in loss_lines(both)]
    assert [(each.action, each.target) for each in todo] == [
        ("adapter.heal", "shop"),
        ("page.try", "http://a.test/1"),
    ]


def test_l10_7_the_figures_of_a_verification_are_its_checks() -> None:
    checks = {"checked": 9, "alive": 6, "struck": 2, "gone": 1, "undecided": 0}
    assert loss_figures(run(kind="verification", checks=checks)) == "9 checked: 6 alive, 2 struck, 1 gone"


def test_l10_7_the_list_of_runs_says_what_checks_found_and_what_was_left_out(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "240")
    left = {"items": 2, "details": "", "page": ""}
    checked = run(kind="verification", checks={"checked": 9, "alive": 9}, attempted=9)
    lossy = run(left_out={"oos_no_price": left}, not_read={"not_found": left}, pages_not_read=2)
    draw_runs([checked, lossy])
    told = capsys.readouterr().out
    assert "9 checked: 9 alive" in told
    assert "left out: 2 oos no price, 2 pages not read: 2 not found" in told


def test_a_run_says_for_how_many_products_the_stock_is_unknown_and_stays_complete(
    capsys: pytest.CaptureFixture[str],
) -> None:
    vague = run(status="completed", pages=12, inserted=12, unknown_stock=3, of_own_pages=12)
    assert not vague.lossy
    assert "12 stored, 3 of 12: stock unknown, price unproven" in loss_figures(vague)
    draw_line(vague)
    assert "3 of 12: stock unknown, price unproven" in " ".join(capsys.readouterr().out.split())
    assert "stock unknown" not in loss_figures(run(status="completed", pages=12, inserted=12))


@pytest.mark.parametrize(
    ("many", "said"), [(1, "1 row seen, 1 page not read"), (2, "2 rows seen, 2 pages not read")]
)
def test_l10_7_the_status_counts_one_page_as_one(many: int, said: str) -> None:
    counts = dict.fromkeys((field.name for field in fields(LossCounts)), 0)
    counts |= {"rows_seen": many, "pages_not_read": many}
    assert losses_text(LossCounts(**counts)) == said


@pytest.mark.parametrize(
    ("details", "does"),
    [
        ("a.test: robots.txt unavailable (status 503): no page is fetched until it is", "asked for again"),
        ("a.test: robots.txt disallows it", "details: false"),
    ],
)
def test_a_robots_txt_that_is_not_there_forbids_nothing(details: str, does: str) -> None:
    left = {"items": 1, "details": details, "page": "http://a.test/1"}
    (line,) = loss_lines(run(not_read={"blocked_by_robots_txt": left}))
    assert does in str(line.todo.text)
