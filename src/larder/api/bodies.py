"""What callers send: checked at the edge, nothing beside it, and no text that a database cannot hold."""

from typing import Annotated, Any

from fastapi import Path, Query
from pydantic import BaseModel, ConfigDict, model_validator

from larder.core.errors import BadInput
from larder.edge import MOST_ID

Id = Annotated[int, Path(ge=1, le=MOST_ID, description="Its number.")]
Slug = Annotated[str, Path(min_length=1, max_length=64, description="The source's slug.")]
OfSource = Annotated[str | None, Query(max_length=64, description="Only of this source, by its slug.")]
Before = Annotated[
    int | None, Query(ge=1, le=MOST_ID, description="Only those before this number: the last of a page.")
]
After = Annotated[
    int | None, Query(ge=1, le=MOST_ID, description="Only those after this number: the last of a page.")
]
Limit = Annotated[int, Query(ge=1, le=1_000, description="How many at most.")]


class Body(BaseModel):
    """The body of a request."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    @model_validator(mode="before")
    @classmethod
    def _holdable(cls, given: Any) -> Any:
        if not is_holdable(given):
            raise ValueError("has a character that is no text (NUL, or half of one)")
        return given


def is_holdable(given: Any) -> bool:
    """Every text in it is one that both databases can hold."""
    if isinstance(given, str):
        return "\0" not in given and not any("\ud800" <= each <= "\udfff" for each in given)
    if isinstance(given, dict):
        return all(is_holdable(key) and is_holdable(value) for key, value in given.items())
    if isinstance(given, (list, tuple)):
        return all(map(is_holdable, given))
    return True


def must_be_holdable(*given: Any) -> None:
    """Refuse what is none, wherever it stood: in a path, in a query."""
    if not all(map(is_holdable, given)):
        raise BadInput("the address has a character that is no text", hint="write it without %00")
