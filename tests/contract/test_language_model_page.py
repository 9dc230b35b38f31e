"""The budget of the language model on its page and in the API; on both databases."""

from pathlib import Path

from sqlalchemy import Connection

from larder.engine.background.enrichment.budget import TOKENS, USD
from larder.store.operations import quotas
from tests.contract.faces import opened
from tests.contract.world import NOW

MODEL = {"llm_url": "http://127.0.0.1:9/v1", "llm_model": "small-1", "llm_tokens": 1000, "llm_usd": 2}


def _spend(conn: Connection, tokens: float, usd: float) -> None:
    quotas.spend(conn, TOKENS, tokens, now=NOW)
    quotas.spend(conn, USD, usd, now=NOW)


async def test_tokens_and_money_of_the_month_are_shown(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path, **MODEL) as faces:
        await faces.app.run(_spend, 250, 0.5)
        some = (await faces.admin.get("/admin/language-model")).text
        await faces.app.run(_spend, 750, 0.1)
        spent = (await faces.admin.get("/admin/language-model")).text
        closed = await faces.anyone.get("/admin/language-model")
    assert "250 of 1,000 this month" in some
    assert "0.5000 USD of 2.00 USD this month" in some
    assert "within budget" in some
    assert "This month&#39;s budget is spent" in spent or "This month's budget is spent" in spent
    assert closed.status_code == 401


async def test_without_a_model_the_page_says_how_to_get_one(database_url: str, tmp_path: Path) -> None:
    async with opened(database_url, tmp_path) as faces:
        assert "LARDER_LLM_URL" in (await faces.admin.get("/admin/language-model")).text
