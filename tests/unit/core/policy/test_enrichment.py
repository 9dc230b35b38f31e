"""How many items go to the language model at once."""

import pytest

from larder.core.policy.enrichment import Budget, after_limit, after_success, batch_size, cost_usd
from larder.core.policy.quota import Quota


def budget(tokens: float = 0, usd: float = 0) -> Budget:
    return Budget(tokens=Quota(used=tokens, allowed=100), usd=Quota(used=usd, allowed=10))


@pytest.mark.parametrize(
    ("left", "size"),
    [
        pytest.param(budget(), 20, id="plenty"),
        pytest.param(budget(tokens=90), 5, id="few tokens"),
        pytest.param(budget(usd=9), 5, id="little money"),
        pytest.param(budget(tokens=100), 0, id="no tokens"),
        pytest.param(budget(tokens=90, usd=10), 0, id="the tighter of both"),
        pytest.param(Budget(tokens=Quota(used=9), usd=Quota(used=9)), 20, id="no limit"),
    ],
)
def test_the_budget_decides(left: Budget, size: int) -> None:
    assert batch_size(20, left) == size


def test_a_small_batch_stays_small_while_the_budget_is_short() -> None:
    assert batch_size(2, budget(tokens=90)) == 2


def test_batches_halve_and_grow_again() -> None:
    sizes = [20]
    for _ in range(6):
        sizes.append(after_limit(sizes[-1]))
    assert sizes == [20, 10, 5, 2, 1, 1, 1]
    assert [after_success(size) for size in (1, 2, 15, 20)] == [2, 4, 20, 20]


def test_what_an_answer_cost() -> None:
    assert cost_usd(1_000_000, 500_000, usd_in=0.15, usd_out=0.6) == pytest.approx(0.45)
