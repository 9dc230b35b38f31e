"""Dead letters: work that failed for good; retry, discard, note, one or many."""

from fastapi import APIRouter
from fastapi.responses import Response
from starlette.datastructures import FormData

from larder.actions.operations import dead_letters
from larder.actions.operations.dead_letters import DeadLetterFilter
from larder.store.queue.dead_letters import LetterStatus
from larder.web.admin.frame import answer
from larder.web.admin.paging import PAGE, leaf, place, whence
from larder.web.choices import slugs
from larder.web.context import Operator, numbers, text

router = APIRouter(prefix="/dead")


@router.get("")
async def every(visit: Operator) -> Response:
    """By group, and the latest."""
    params = visit.request.query_params
    asked = {name: params.get(name) or None for name in ("source", "stage", "type", "status")}
    status = LetterStatus(asked["status"]) if asked["status"] in list(LetterStatus) else None
    which = DeadLetterFilter(source=asked["source"], stage=asked["stage"], type=asked["type"], status=status)
    found = await visit.look(dead_letters.list_dead_letters, which, before=place(visit), limit=PAGE + 1)
    shown, more = leaf(visit, found.letters)
    return await answer(
        visit, "dead.html", "dead", groups=found.groups, letters=shown, more=more, asked=asked,
        statuses=[str(each) for each in LetterStatus], slugs=await visit.look(slugs),
    )  # fmt: skip


@router.get("/{letter_id:row}")
async def one(visit: Operator, letter_id: int) -> Response:
    """One letter, whole."""
    found = await visit.look(dead_letters.show, letter_id)
    return await answer(visit, "letter.html", "dead", found=found, letter=found.letter)


@router.post("/retry")
async def retry(visit: Operator) -> Response:
    """Try those again that were chosen, or a whole group."""
    form = await visit.form()
    how = visit.app.dispatcher
    done = await visit.do(dead_letters.retry, _which(form), how, who=visit.who, now=visit.now)
    tried = len(done.in_line) + len(done.sent_again)
    said = f"Tried again: {tried}. Read since they failed: {len(done.read_since)}."
    held = f"{len(done.held_back)} are held back: their source may not run." if done.held_back else ""
    return visit.back(whence(form, "/admin/dead"), said, hint=held)


@router.post("/discard")
async def discard(visit: Operator) -> Response:
    """Let go of those that were chosen, or of a whole group."""
    form = await visit.form()
    why = text(form, "note")
    gone = await visit.do(dead_letters.discard, _which(form), why, who=visit.who, now=visit.now)
    return visit.back(whence(form, "/admin/dead"), f"{len(gone)} discarded.")


@router.post("/{letter_id:row}/note")
async def note(visit: Operator, letter_id: int) -> Response:
    """Write something down beside it."""
    form = await visit.form()
    await visit.do(dead_letters.add_note, letter_id, text(form, "note"), who=visit.who, now=visit.now)
    return visit.back(f"/admin/dead/{letter_id}", "Noted.")


def _which(form: FormData) -> DeadLetterFilter:
    ids = numbers(form, "letter")
    if ids:
        return DeadLetterFilter(ids=ids)
    source, stage, kind = (text(form, name) or None for name in ("source", "stage", "type"))
    return DeadLetterFilter(source=source, stage=stage, type=kind)
