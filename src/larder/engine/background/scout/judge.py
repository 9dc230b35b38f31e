"""Decides in a parse worker whether a fetched page is an event agenda."""

from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Protocol

from larder.core.model.page import Fetched
from larder.core.ports import ParseRunner
from larder.engine.background.enrichment.model import Model
from larder.sdk.page import Page
from larder.stages.enrich.questions import Question, Topic, shares
from larder.stages.parse.agenda.page_classifier import AGENDA_FROM, AgendaJudgement, judge_agenda

HEURISTIC, LLM = "heuristic", "llm"
MAX_EXCERPT = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class AgendaVerdict:
    """How sure a judge is that a page is an agenda."""

    confidence: float
    judged_by: str
    title: str = ""
    evidence: dict[str, Any] = field(default_factory=dict)

    @property
    def is_agenda(self) -> bool:
        """Whether it is sure enough to be shown to a person."""
        return self.confidence >= AGENDA_FROM


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadPage:
    """A page as the heuristics see it, with the beginning of its text."""

    judgement: AgendaJudgement
    excerpt: str


class Judge(Protocol):
    """Judges pages; no page makes it raise, except that reading may take too much (ParseAborted)."""

    async def judge(self, page: Fetched) -> AgendaVerdict:
        """Judge whether a page is an agenda."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class HeuristicJudge:
    """Judges by dates, event words, markup and links to other dates."""

    runner: ParseRunner

    async def judge(self, page: Fetched) -> AgendaVerdict:
        """Judge a page by heuristics alone."""
        return heuristic_verdict(await self.read(page))

    async def read(self, page: Fetched) -> ReadPage:
        """Read a page in a parse worker."""
        content_type = page.headers.get("content-type")
        return await self.runner.run(partial(_read, page.final_url, page.body, content_type))


@dataclass(frozen=True, slots=True, kw_only=True)
class LlmJudge:
    """Judges by a language model; by heuristics if it does not answer, and the verdict says so."""

    heuristic: HeuristicJudge
    model: Model

    async def judge(self, page: Fetched) -> AgendaVerdict:
        """Judge a page by the language model and the heuristics."""
        read_page = await self.heuristic.read(page)
        fallback = heuristic_verdict(read_page)
        question = Question(id=0, texts={"title": read_page.judgement.title, "text": read_page.excerpt})
        has_budget = await self.model.batch_size() > 0
        text = await self.model.ask(Topic.AGENDA, [question]) if has_budget else None
        share = shares(text, [question]).get(0) if text is not None else None
        if share is None:
            return replace(fallback, evidence={**fallback.evidence, "judge_down": True})
        evidence = {**fallback.evidence, "heuristic": fallback.confidence}
        return replace(fallback, confidence=share, judged_by=LLM, evidence=evidence)


def heuristic_verdict(read: ReadPage) -> AgendaVerdict:
    """The verdict of the heuristics on a page."""
    judgement = read.judgement
    signs = {name: count for name, count in judgement.signs.items() if count}
    return AgendaVerdict(
        confidence=judgement.confidence, judged_by=HEURISTIC, title=judgement.title, evidence={"signs": signs}
    )


def _read(url: str, body: bytes, content_type: str | None) -> ReadPage:
    page = Page(url, body, content_type)
    judgement = judge_agenda(page)
    return ReadPage(judgement=judgement, excerpt=" ".join(page.visible.split())[:MAX_EXCERPT])
