"""What a page costs: a handful of queries, and no more when there is more to show; on both databases."""

from sqlalchemy import Connection

from tests.contract.faces import Faces
from tests.contract.statements import counted
from tests.contract.world import Pages, run, source, staged

PAGES = (
    "/", "/?q=home", "/?kind=listing&sort=price", "/events", "/map", "/records/1", "/admin",
    "/admin/sources", "/admin/sources/homes", "/admin/sites", "/admin/runs", "/admin/runs/1",
    "/admin/runs/1/pages", "/admin/records", "/admin/targets", "/admin/verification", "/admin/adapters",
    "/admin/adapters/listing", "/admin/quarantine", "/admin/dead", "/admin/errors", "/admin/requests",
    "/admin/alerts", "/admin/keys", "/admin/audit", "/admin/watches", "/admin/candidates", "/admin/proxies",
    "/admin/language-model",
)  # fmt: skip
HANDFUL = 15
"""The overview asks for the most: one thing for each of its parts. Most pages ask for four or five."""


async def test_a_page_asks_a_handful_of_questions_however_much_there_is(shown: Faces) -> None:
    few = {path: await _asked(shown, path) for path in PAGES}
    await shown.app.run(_much_more)
    many = {path: await _asked(shown, path) for path in PAGES}
    assert {path: n for path, n in many.items() if n > HANDFUL} == {}
    assert {path: (few[path], n) for path, n in many.items() if n > few[path]} == {}


async def _asked(shown: Faces, path: str) -> int:
    with counted() as asked:
        answered = await shown.admin.get(path)
        assert answered.status_code == 200, (path, answered.text[:300])
    return len(asked)


def _much_more(conn: Connection) -> None:
    """Thirty more sources on sites of their own, with ten records each."""
    for number in range(30):
        slug = f"more-{number}"
        source_id = source(conn, slug, domain=f"{slug}.test", visibility="public")
        items = [
            staged(each, title=f"Home {each} of {slug}", url=f"https://{slug}.test/listing/{each}")
            for each in range(10)
        ]
        pages = Pages(conn, source_id)
        pages.keep(pages.page(*items, run_id=run(conn, source_id)))
