"""Asks the language model within its budget; after a failure the batch waits, and no page fails."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from larder.core.policy.enrichment import AFTER_TROUBLE, LARGEST_BATCH, after_limit, after_success, batch_size
from larder.core.ports import Clock
from larder.engine.background.enrichment import budget
from larder.engine.background.enrichment.budget import STATE, BudgetLimits
from larder.stages.enrich import LlmClient, LlmDown, LlmLimited, LlmRefused
from larder.stages.enrich.client import Chat
from larder.stages.enrich.questions import Question, Topic, chat
from larder.store.database import Connection, Database
from larder.store.operations import key_values

log = logging.getLogger("larder.enrichment")


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A language model with its budget."""

    database: Database
    clock: Clock
    client: LlmClient
    limits: BudgetLimits
    name: str = ""
    """The name that its service uses."""

    async def batch_size(self) -> int:
        """How many items may be asked about now; 0: none."""
        return await self.database.run(_batch_size, self.limits, now=self.clock.now())

    async def ask(
        self, topic: Topic, questions: Sequence[Question], values: Sequence[str] = ()
    ) -> str | None:
        """The text of the answer; None if there was none, and the items wait for a later batch."""
        return await self.ask_chat(chat(topic, questions, today=self.clock.now(), values=values))

    async def ask_chat(self, messages: Chat) -> str | None:
        """As `ask`, for prepared messages."""
        try:
            answer = await self.client.ask(messages)
        except (LlmDown, LlmLimited, LlmRefused) as problem:
            log.warning("%s; items are read by rules only", problem)
            await self.database.run(_note_problem, problem, now=self.clock.now())
            return None
        await self.database.run(_note_answer, now=self.clock.now())
        await self.database.run(budget.spend, answer, self.limits, now=self.clock.now())
        return answer.text


def _batch_size(conn: Connection, limits: BudgetLimits, *, now: datetime) -> int:
    state = key_values.read(conn, STATE) or {}
    if state.get("not_before") and now < datetime.fromisoformat(state["not_before"]):
        return 0
    return batch_size(state.get("batch", LARGEST_BATCH), budget.read_budget(conn, limits, now=now))


def _note_problem(conn: Connection, problem: LlmDown | LlmLimited | LlmRefused, *, now: datetime) -> None:
    """Halve batches after a rate limit; pause after any problem."""
    state = key_values.read(conn, STATE) or {}
    batch, wait = state.get("batch", LARGEST_BATCH), AFTER_TROUBLE
    if isinstance(problem, LlmLimited):
        batch, wait = after_limit(batch), max(AFTER_TROUBLE, problem.retry_after or AFTER_TROUBLE)
    if isinstance(problem, LlmRefused) and problem.quota:
        batch = after_limit(batch)
        budget.alert_spent(conn, str(problem), now=now)
    trouble = {"batch": batch, "not_before": (now + wait).isoformat(), "trouble": str(problem)}
    key_values.write(conn, STATE, trouble, now=now)


def _note_answer(conn: Connection, *, now: datetime) -> None:
    state = key_values.read(conn, STATE) or {}
    key_values.write(conn, STATE, {"batch": after_success(state.get("batch", LARGEST_BATCH))}, now=now)
