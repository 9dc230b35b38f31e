"""Adapters: which there are, and which are switched off."""

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import Field
from starlette.responses import Response

from larder.actions.sources import adapters, canary
from larder.actions.sources.adapters import AdapterView
from larder.actions.sources.canary import CanaryView
from larder.api.admin.sites import Because
from larder.api.context import Operator
from larder.api.request_bodies import Body
from larder.api.responses import answer, answer_all
from larder.api.schemas import gives

router = APIRouter(prefix="/adapters", tags=["adapters"])

AdapterId = Annotated[str, Path(min_length=1, max_length=64, description="The adapter's id.")]


class OnSite(Body):
    """Where."""

    site: str | None = Field(
        default=None, min_length=1, max_length=253, description="Only on this site; else on all."
    )


class SwitchOff(Because, OnSite):
    """Why, and where."""


@router.get("", summary="All adapters", **gives(AdapterView, many=True))
async def every(call: Operator) -> Response:
    """Each with where and why it is switched off."""
    return answer_all(await call.look(adapters.list_adapters))


@router.get("/{adapter_id}", summary="One adapter", **gives(AdapterView))
async def show(call: Operator, adapter_id: AdapterId) -> Response:
    """Its version, its domain, its state."""
    return answer(await call.look(adapters.show, adapter_id))


@router.post("/{adapter_id}/enable", summary="Switch an adapter on", **gives(AdapterView))
async def enable(call: Operator, adapter_id: AdapterId, body: OnSite | None = None) -> Response:
    """A person checked what it reads: it runs again, and its first run is flagged."""
    site = body.site if body else None
    return answer(await call.do(adapters.enable, adapter_id, site=site, **call.by))


@router.post("/{adapter_id}/disable", summary="Switch an adapter off", **gives(AdapterView))
async def disable(call: Operator, adapter_id: AdapterId, body: SwitchOff | None = None) -> Response:
    """No more runs start with it."""
    body = body or SwitchOff()
    return answer(await call.do(adapters.disable, adapter_id, body.reason, site=body.site, **call.by))


@router.get("/{adapter_id}/canary", summary="How its versions stand", **gives(CanaryView, many=True))
async def trials(call: Operator, adapter_id: AdapterId) -> Response:
    """For each source: the active version, the one that waits, and what speaks against it."""
    return answer_all(await call.look(canary.list_canaries, adapter_id))


@router.post("/{adapter_id}/accept", summary="Accept a new version", **gives(CanaryView, many=True))
async def accept(call: Operator, adapter_id: AdapterId, body: OnSite | None = None) -> Response:
    """A person has looked at the difference: the version that is here is active from now on."""
    site = body.site if body else None
    return answer_all(await call.do(canary.accept, adapter_id, site, call.how.adapters, **call.by))
