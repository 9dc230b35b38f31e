import pytest

from larder.core.model.run import RunStatus
from larder.core.policy.trust.loss import LeftOut, RunTotals, judge_loss, sum_left_out, worse_status

NO_PRICE = {"missing_required_field": LeftOut(items=48, details="price", page="https://shop.test/p")}


@pytest.mark.parametrize(
    ("totals", "code", "status"),
    [
        pytest.param(RunTotals(stored=9), None, None, id="nothing was lost"),
        pytest.param(
            RunTotals(stored=9, left_out={"oos_no_price": LeftOut(items=3)}), None, None, id="expected losses"
        ),
        pytest.param(
            RunTotals(left_out=NO_PRICE), "nothing_stored", RunStatus.FAILED, id="found but none stored"
        ),
        pytest.param(
            RunTotals(stored=50, left_out=NO_PRICE), "items_left_out", RunStatus.PARTIAL, id="some left out"
        ),
        pytest.param(
            RunTotals(stored=20, rows_shown=20, advertised=317),
            "rows_missing",
            RunStatus.PARTIAL,
            id="far fewer rows than advertised",
        ),
        pytest.param(
            RunTotals(stored=100, rows_shown=100, advertised=317, limit="max_items_per_run"),
            "max_items_per_run",
            RunStatus.PARTIAL,
            id="a limit was reached",
        ),
        pytest.param(
            RunTotals(stored=8, not_read={"blocked_by_robots_txt": LeftOut(items=8)}),
            "pages_not_read",
            RunStatus.PARTIAL,
            id="l10_23 pages that must not be asked for",
        ),
        pytest.param(
            RunTotals(not_read={"terms": LeftOut(items=8)}),
            "pages_not_read",
            RunStatus.FAILED,
            id="l10_23 nothing but such pages",
        ),
    ],
)
def test_what_a_run_lost(totals: RunTotals, code: str | None, status: RunStatus | None) -> None:
    lost = judge_loss(totals)
    assert (lost and lost.code, lost and lost.status) == (code, status)


def test_the_message_names_reason_field_and_page() -> None:
    lost = judge_loss(RunTotals(things="products", left_out=NO_PRICE))
    assert lost is not None
    assert lost.message == (
        "48 products found, none stored: 48 × missing required field (price), "
        "for example on https://shop.test/p"
    )


def test_pages_that_were_not_read_make_a_run_partial_and_alert_where_they_are_most() -> None:
    terms = {
        "terms": LeftOut(
            items=10, details="flats.test: nobody reviewed its terms", page="https://flats.test/1"
        )
    }
    lost = judge_loss(RunTotals(stored=10, pages=1, not_read=terms))
    assert lost is not None
    assert (lost.status, lost.code, lost.alert) == (RunStatus.PARTIAL, "pages_not_read", True)
    assert lost.message == (
        "10 pages not read: 10 × terms (flats.test: nobody reviewed its terms), "
        "for example on https://flats.test/1"
    )
    few = judge_loss(RunTotals(stored=10, pages=11, not_read=terms))
    assert few is not None
    assert not few.alert


@pytest.mark.parametrize(
    ("reason", "pages", "alert"),
    [
        pytest.param("blocked", 4, False, id="the circuit, or failed runs in a row, tell it where it lasts"),
        pytest.param("page_structure_changed", 1, False, id="drift tells it where it lasts"),
        pytest.param("blocked", 5, True, id="enough to be told by one run"),
        pytest.param("terms", 1, True, id="nothing else tells it"),
        pytest.param("blocked_by_robots_txt", 1, True, id="nothing else tells it either"),
    ],
)
def test_a_few_pages_that_failed_do_not_alert(reason: str, pages: int, alert: bool) -> None:
    lost = judge_loss(RunTotals(not_read={reason: LeftOut(items=pages)}))
    assert lost is not None
    assert (lost.status, lost.code, lost.alert) == (RunStatus.FAILED, "pages_not_read", alert)


def test_l10_26_a_limit_says_what_lies_beyond_it() -> None:
    beyond = {"max_items_per_run": LeftOut(items=35)}
    lost = judge_loss(
        RunTotals(
            things="flats",
            stored=40,
            rows_shown=40,
            advertised=317,
            limit="max_items_per_run",
            not_read=beyond,
        )
    )
    assert lost is not None
    assert (lost.status, lost.code) == (RunStatus.PARTIAL, "max_items_per_run")
    assert lost.message == (
        "max_items_per_run was reached: 35 detail pages not requested, 277 of 317 advertised flats not read"
    )


def test_l10_26_a_limit_reached_on_the_last_page_is_told_too() -> None:
    lost = judge_loss(RunTotals(stored=40, not_read={"max_items_per_run": LeftOut(items=35)}))
    assert lost is not None
    assert (lost.status, lost.code) == (RunStatus.PARTIAL, "max_items_per_run")


def test_most_pages_missing_is_a_loss_although_each_may_have_been_removed() -> None:
    lost = judge_loss(RunTotals(stored=9, pages=1, not_read={"not_found": LeftOut(items=9)}))
    assert lost is not None
    assert (lost.status, lost.code, lost.alert) == (RunStatus.PARTIAL, "pages_not_read", True)


def test_a_page_that_was_removed_is_no_loss() -> None:
    assert judge_loss(RunTotals(stored=9, pages=10, not_read={"not_found": LeftOut(items=1)})) is None


@pytest.mark.parametrize(
    ("missing", "pages", "lost"),
    [
        pytest.param(2, 30, False, id="two may have gone since their rows were shown"),
        pytest.param(8, 30, True, id="eight of thirty are links that lead nowhere"),
        pytest.param(20, 400, False, id="one in twenty of many pages"),
        pytest.param(21, 400, True, id="more than one in twenty"),
    ],
)
def test_rows_whose_pages_are_missing(missing: int, pages: int, lost: bool) -> None:
    gone = {"not_found": LeftOut(items=missing, details="shop.test: answered 404")}
    loss = judge_loss(RunTotals(stored=pages, pages=pages, rows_shown=pages, not_read=gone))
    assert (loss is not None) is lost
    if loss is not None:
        assert (loss.status, loss.message.partition(":")[0]) == (
            RunStatus.PARTIAL,
            f"{missing} pages not read",
        )


def test_targets_that_are_missing_are_no_loss_while_more_are_read() -> None:
    gone = {"not_found": LeftOut(items=8)}
    assert judge_loss(RunTotals(stored=30, pages=30, not_read=gone)) is None


def test_every_loss_is_told_with_the_worst_status() -> None:
    lost = judge_loss(RunTotals(left_out=NO_PRICE, not_read={"timeout": LeftOut(items=2)}))
    assert lost is not None
    assert (lost.status, lost.code) == (RunStatus.FAILED, "nothing_stored")
    assert "none stored" in lost.message
    assert "2 pages not read" in lost.message


def test_a_loss_never_improves_a_status() -> None:
    limit = judge_loss(RunTotals(stored=1, limit="max_pages"))
    assert worse_status(RunStatus.COMPLETED, limit) is RunStatus.PARTIAL
    assert worse_status(RunStatus.FAILED, limit) is RunStatus.FAILED
    assert worse_status(RunStatus.SUSPECT, limit) is RunStatus.SUSPECT


def test_losses_of_pages_add_up() -> None:
    both = sum_left_out(NO_PRICE, {**NO_PRICE, "no_date": LeftOut(items=1)})
    assert {reason: left.items for reason, left in both.items()} == {
        "missing_required_field": 96,
        "no_date": 1,
    }
