"""Messages about invalid values say the rule, without the words of the library that checks it."""

from datetime import datetime
from typing import Annotated, Any, Literal

import pytest
from pydantic import AwareDatetime, BaseModel, Field, ValidationError, field_validator

from larder.core.validation_messages import validation_message


class Values(BaseModel, extra="forbid"):
    """A field of each kind."""

    whole: Annotated[int, Field(ge=1, le=200)] = 1
    more: Annotated[float, Field(gt=0)] = 1
    flag: bool = True
    text: Annotated[str, Field(min_length=1, max_length=5)] = "a"
    words: list[str] = []
    table: dict[str, str] = {}
    choice: Literal["a", "b"] = "a"
    moment: datetime = datetime(2026, 1, 1)  # noqa: DTZ001 - the field checks the zone of what is given
    aware: AwareDatetime | None = None
    checked: str = ""

    @field_validator("checked")
    @classmethod
    def _refuse(cls, value: str) -> str:
        raise ValueError(f"{value} is not a slug")


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("whole", 0, "must be at least 1"),
        ("whole", 201, "must be at most 200"),
        ("whole", "x", "must be a whole number"),
        ("whole", 1.5, "must be a whole number"),
        ("more", 0, "must be more than 0"),
        ("more", "x", "must be a number"),
        ("flag", "maybe", "must be true or false"),
        ("text", 5, "must be text"),
        ("text", "", "must have at least 1 character"),
        ("text", "abcdef", "must have at most 5 characters"),
        ("words", "x", "must be a list"),
        ("table", "x", "must be a mapping"),
        ("choice", "c", "must be 'a' or 'b'"),
        ("moment", "soon", "must be a date and time such as 2026-05-01T18:00:00+02:00"),
        ("aware", "2026-01-01T00:00:00", "needs a time zone, such as 2026-05-01T18:00:00+02:00"),
        ("checked", "x", "x is not a slug"),
        ("other", 1, "there is no such field"),
    ],
)
def test_a_rule_is_said_in_words(field: str, value: Any, says: str) -> None:
    with pytest.raises(ValidationError) as raised:
        Values.model_validate({field: value})
    assert validation_message(raised.value.errors()[0]["msg"]) == says


def test_other_messages_stay() -> None:
    assert validation_message("there is no time zone 'Mars'") == "there is no time zone 'Mars'"
