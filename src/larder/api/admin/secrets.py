"""Secrets by name: set, listed, removed, and never shown."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import Field, SecretStr
from starlette.responses import Response

from larder.actions.access import secrets
from larder.api.context import Operator
from larder.api.request_bodies import Body
from larder.api.responses import answer
from larder.api.schemas import gives
from larder.store.operations.secrets import Secret

router = APIRouter(prefix="/secrets", tags=["secrets"])

Name = Annotated[str, Path(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$", description="The secret's name.")]


class SecretValue(Body):
    """A value that goes in and never comes out."""

    value: SecretStr = Field(max_length=10_000, description="The secret.")


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretNames:
    """What there is; never the values."""

    names: Sequence[str]


@router.get("", summary="The names of all secrets", **gives(SecretNames))
async def names(call: Operator) -> Response:
    """Never their values."""
    return answer(SecretNames(names=await call.look(secrets.list_names)))


@router.put("/{name}", summary="Keep a secret", **gives(SecretNames))
async def put(call: Operator, name: Name, body: SecretValue) -> Response:
    """Under a name, in place of what was there."""
    value = Secret(body.value.get_secret_value())
    return answer(SecretNames(names=await call.do(secrets.put, name, value, call.strongbox, **call.by)))


@router.delete("/{name}", summary="Forget a secret", **gives(SecretNames))
async def remove(call: Operator, name: Name) -> Response:
    """What is left."""
    return answer(SecretNames(names=await call.do(secrets.remove, name, **call.by)))
