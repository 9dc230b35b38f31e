"""Secrets by name: set, listed, removed, and never shown."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import Field, SecretStr

from larder.actions.access import secrets
from larder.api.context import AdminContext
from larder.api.request_bodies import RequestBody
from larder.store.operations.secrets import Secret

router = APIRouter(prefix="/secrets", tags=["secrets"])

Name = Annotated[str, Path(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$", description="The secret's name.")]


class SecretValue(RequestBody):
    """A value that goes in and never comes out."""

    value: SecretStr = Field(max_length=10_000, description="The secret.")


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretNames:
    """What there is; never the values."""

    names: Sequence[str]


@router.get("", summary="The names of all secrets")
async def names(ctx: AdminContext) -> SecretNames:
    """Never their values."""
    return SecretNames(names=await ctx.look(secrets.list_names))


@router.put("/{name}", summary="Keep a secret")
async def put(ctx: AdminContext, name: Name, body: SecretValue) -> SecretNames:
    """Under a name, in place of what was there."""
    value = Secret(body.value.get_secret_value())
    return SecretNames(names=await ctx.do(secrets.put, name, value, ctx.strongbox, **ctx.actor))


@router.delete("/{name}", summary="Forget a secret")
async def remove(ctx: AdminContext, name: Name) -> SecretNames:
    """What is left."""
    return SecretNames(names=await ctx.do(secrets.remove, name, **ctx.actor))
