"""Secrets by name: set, list, delete; values are never returned."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import Field, SecretStr

from larder.actions.access import secrets
from larder.api.context import AdminContext
from larder.api.request_bodies import RequestBody
from larder.store.operations.access.secrets import Secret

router = APIRouter(prefix="/secrets", tags=["secrets"])

SecretName = Annotated[
    str, Path(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$", description="The secret's name.")
]


class SecretValue(RequestBody):
    """A value to store; it is never returned."""

    value: SecretStr = Field(max_length=10_000, description="The secret.")


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretNames:
    """Names of the stored secrets."""

    names: Sequence[str]


@router.get("", summary="The names of all secrets")
async def names(ctx: AdminContext) -> SecretNames:
    """Names only; values are never returned."""
    return SecretNames(names=await ctx.read(secrets.list_names))


@router.put("/{name}", summary="Set a secret")
async def put(ctx: AdminContext, name: SecretName, body: SecretValue) -> SecretNames:
    """Stores a value under a name, replacing an earlier one."""
    value = Secret(body.value.get_secret_value())
    return SecretNames(names=await ctx.run(secrets.put, name, value, ctx.secrets_cipher, **ctx.actor))


@router.delete("/{name}", summary="Delete a secret")
async def remove(ctx: AdminContext, name: SecretName) -> SecretNames:
    """Returns the names that remain."""
    return SecretNames(names=await ctx.run(secrets.remove, name, **ctx.actor))
