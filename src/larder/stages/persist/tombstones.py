"""What was erased on request stays erased: mentions of it are passed over as if no page had them."""

from collections.abc import Sequence

from larder.stages.persist.record_fold import Mention
from larder.store.database import Connection
from larder.store.dataset import erasure


def spared(conn: Connection, mentions: Sequence[Mention]) -> list[Mention]:
    """The mentions that nobody asked to be forgotten."""
    keys = erasure.erased_keys(conn, [(m.page.source.id, m.key) for m in mentions])
    sellers = erasure.erased_sellers(conn, {seller for m in mentions if (seller := _seller(m))})
    return [m for m in mentions if (m.page.source.id, m.key) not in keys and _seller(m) not in sellers]


def _seller(mention: Mention) -> str | None:
    seller = mention.staged.fields.get("seller")
    return str(seller) if seller else None
