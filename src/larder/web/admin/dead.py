"""Dead letters: work that failed for good; retry, discard, note, one or many."""

from fastapi import APIRouter
from fastapi.responses import Response
from starlette.datastructures import FormData

from larder.actions import dead_letters
from larder.actions.dead_letters import Asked
from larder.core.errors import NotThere
from larder.store.letters import LetterStatus
from larder.web.admin.frame import answer
from larder.web.admin.lists import PAGE, leaf, place, whence
from larder.web.visit import Operator, numbers, text

router = APIRouter(prefix="/dead")


@router.get("")
async def every(visit: Operator) -> Response:
    """By group, and the latest."""
    params = visit.request.query_params
    asked = {name: params.get(name) or None for name in ("source", "stage", "type", "status")}
    status = LetterStatus(asked["status"]) if asked["status"] in list(LetterStatus) else None
    which = Asked(source=asked["source"], stage=asked["stage"], type=asked["type"], status=status)
    found = await visit.look(dead_letters.every, which, before=place(visit), limit=PAGE + 1)
    shown, more = leaf(visit, found.letters)
    return await answer(
        visit, "dead.html", "dead", groups=found.groups, letters=shown, more=more, asked=asked,
        statuses=[str(each) for each in LetterStatus],
    )  # fmt: skip


@router.get("/{letter_id:int}")
async def one(visit: Operator, letter_id: int) -> Response:
    """One letter, whole."""
    found = await visit.look(dead_letters.show, letter_id)
    return await answer(visit, "letter.html", "dead", found=found, letter=found.letter)


@router.post("/{action}")
async def act(visit: Operator, action: str) -> Response:
    """Retry or discard those that were chosen, or a whole group."""
    form = await visit.form()
    which, back = _which(form), whence(form, "/admin/dead")
    if action == "retry":
        done = await visit.do(dead_letters.retry, which, visit.app.dispatcher, who=visit.who, now=visit.now)
        tried = len(done.in_line) + len(done.sent_again)
        said = f"Tried again: {tried}. Read since they failed: {len(done.read_since)}."
        held = f"{len(done.held_back)} are held back: their source may not run." if done.held_back else ""
        return visit.back(back, said, hint=held)
    if action == "discard":
        gone = await visit.do(dead_letters.discard, which, text(form, "note"), who=visit.who, now=visit.now)
        return visit.back(back, f"{len(gone)} discarded.")
    raise NotThere(f"nothing is called {action!r} here")


@router.post("/{letter_id:int}/note")
async def note(visit: Operator, letter_id: int) -> Response:
    """Write something down beside it."""
    form = await visit.form()
    await visit.do(dead_letters.note, letter_id, text(form, "note"), who=visit.who, now=visit.now)
    return visit.back(f"/admin/dead/{letter_id}", "Noted.")


def _which(form: FormData) -> Asked:
    ids = numbers(form, "letter")
    if ids:
        return Asked(ids=ids)
    return Asked(stage=text(form, "stage") or None, type=text(form, "type") or None)
