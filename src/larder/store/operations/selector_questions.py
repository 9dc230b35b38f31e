"""Questions to a language model about selectors: the last one for each part of a source's declaration.

The selectors of its answer are candidates for every later check of the source's pages.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime

from sqlalchemy import Connection, select

from larder.store.operations import key_values
from larder.store.tables import facts, sources

_ASKED = "selectors_asked:"
PROFILE_PART = "profile"
"""The part of a question about a site profile; others are `index` and `detail`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectorQuestion:
    """One question, and the outcome."""

    part: str
    layout: str
    """The layout that it was about: none is asked about twice unless a person requests it."""
    asked_at: str
    model: str
    fields: Sequence[str] = ()
    """The selectors that were requested, by path."""
    selectors: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The candidates of the answer, by path."""
    refused: Mapping[str, int] = field(default_factory=dict)
    """The number of refused candidates, by reason."""
    outcome: str = ""
    """The result of the proof."""


def save(conn: Connection, source_id: int, question: SelectorQuestion, *, now: datetime) -> None:
    """Store a question, replacing the last one."""
    key_values.write(conn, f"{_ASKED}{source_id}:{question.part}", asdict(question), now=now)


def list_by_source(conn: Connection, source_id: int) -> list[SelectorQuestion]:
    """The last questions about a source, by part."""
    query = select(facts.c.value).where(facts.c.name.startswith(f"{_ASKED}{source_id}:", autoescape=True))
    return [SelectorQuestion(**value) for value in conn.scalars(query.order_by(facts.c.name))]


def load_candidates(conn: Connection, source_id: int) -> dict[str, Sequence[str]]:
    """All candidates of a source's questions, by path."""
    found: dict[str, Sequence[str]] = {}
    for question in list_by_source(conn, source_id):
        for path, named in question.selectors.items():
            found[path] = [*found.get(path, ()), *named]
    return found


def list_latest(conn: Connection, *, limit: int) -> list[tuple[str, SelectorQuestion]]:
    """The latest questions of all sources, newest first, each with its source's slug."""
    query = select(facts.c.name, facts.c.value).where(facts.c.name.startswith(_ASKED, autoescape=True))
    rows = conn.execute(query.order_by(facts.c.updated_at.desc(), facts.c.name).limit(limit)).all()
    ids = [int(row.name.split(":")[1]) for row in rows]
    slugs = dict(conn.execute(select(sources.c.id, sources.c.slug).where(sources.c.id.in_(ids))).all())
    found = zip(ids, rows, strict=True)
    return [(slugs[i], SelectorQuestion(**row.value)) for i, row in found if i in slugs]
