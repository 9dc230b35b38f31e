"""Request bodies: no unknown fields, and no text that a database cannot store."""

from typing import Annotated, Any

from fastapi import Path, Query
from pydantic import BaseModel, ConfigDict, model_validator

from larder.request_validation import MAX_ID, storage_problem

RowId = Annotated[int, Path(ge=1, le=MAX_ID, description="Its id.")]
Slug = Annotated[str, Path(min_length=1, max_length=64, description="The source's slug.")]
OfSource = Annotated[str | None, Query(max_length=64, description="Only of this source, by its slug.")]
Before = Annotated[
    int | None, Query(ge=1, le=MAX_ID, description="Only ids before this one: the last id of a page.")
]
After = Annotated[
    int | None, Query(ge=1, le=MAX_ID, description="Only ids after this one: the last id of a page.")
]
ListLimit = Annotated[int, Query(ge=1, le=1_000, description="Maximum number, 1–1000.")]


def example(**fields: Any) -> ConfigDict:
    """The configuration of a body that shows an example in the OpenAPI document."""
    return ConfigDict(json_schema_extra={"examples": [fields]})


class RequestBody(BaseModel):
    """The body of a request."""

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    @model_validator(mode="before")
    @classmethod
    def _check_storable(cls, values: Any) -> Any:
        if found := storage_problem(values):
            raise ValueError(found)
        return values
