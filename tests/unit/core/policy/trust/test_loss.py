import pytest

from larder.core.model.run import RunStatus
from larder.core.policy.trust.loss import LeftOut, RunTotals, judge, total, worse

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
            RunTotals(stored=8, left_out={"blocked_by_robots_txt": LeftOut(items=8)}),
            None,
            None,
            id="l10_23 pages that must not be asked for",
        ),
        pytest.param(
            RunTotals(left_out={"terms": LeftOut(items=8)}),
            "nothing_stored",
            RunStatus.FAILED,
            id="l10_23 nothing but such pages",
        ),
    ],
)
def test_what_a_run_lost(totals: RunTotals, code: str | None, status: RunStatus | None) -> None:
    lost = judge(totals)
    assert (lost and lost.code, lost and lost.status) == (code, status)


def test_the_message_names_reason_field_and_page() -> None:
    lost = judge(RunTotals(things="products", left_out=NO_PRICE))
    assert lost is not None
    assert lost.message == (
        "48 products found, none stored: 48 × missing required field (price), "
        "for example on https://shop.test/p"
    )


def test_a_loss_never_improves_a_status() -> None:
    limit = judge(RunTotals(stored=1, limit="max_pages"))
    assert worse(RunStatus.COMPLETED, limit) is RunStatus.PARTIAL
    assert worse(RunStatus.FAILED, limit) is RunStatus.FAILED
    assert worse(RunStatus.SUSPECT, limit) is RunStatus.SUSPECT


def test_losses_of_pages_add_up() -> None:
    both = total(NO_PRICE, {**NO_PRICE, "no_date": LeftOut(items=1)})
    assert {reason: left.items for reason, left in both.items()} == {
        "missing_required_field": 96,
        "no_date": 1,
    }
