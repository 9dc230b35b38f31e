"""Every error has its status, its words and its next step; what a database says of itself stays inside."""

import json
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from larder.api.problems import MEDIA_TYPE, problem_from
from larder.core.errors import (
    BadInput,
    Conflict,
    LarderError,
    NotAllowed,
    NotFound,
    NotSignedIn,
    Terminal,
    Unusable,
)
from larder.core.policy.request_limits import TooMany


def told(error: LarderError) -> tuple[int, dict[str, Any]]:
    answered = problem_from(error)
    assert answered.media_type == MEDIA_TYPE
    assert answered.headers["cache-control"] == "no-store"
    return answered.status_code, json.loads(bytes(answered.body))


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (BadInput("x"), 422),
        (NotFound("x"), 404),
        (Conflict("x"), 409),
        (NotAllowed("x"), 403),
        (NotSignedIn("x"), 401),
        (TooMany(3), 429),
        (Unusable("x"), 409),
        (Terminal("x"), 500),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else None,
)
def test_each_branch_of_the_tree_has_its_status(error: LarderError, status: int) -> None:
    code, problem = told(error)
    assert (code, problem["status"]) == (status, status)
    assert problem["detail"]


def test_the_next_step_comes_along_where_there_is_one() -> None:
    assert told(BadInput("wrong\nby far", hint="do this"))[1] == {
        "type": "about:blank",
        "title": "Unprocessable Entity",
        "status": 422,
        "detail": "wrong by far",
        "hint": "do this",
    }
    assert "hint" not in told(BadInput("wrong"))[1]


def test_headers_say_what_a_program_needs() -> None:
    assert problem_from(NotSignedIn("who?")).headers["www-authenticate"] == 'Bearer realm="larder"'
    assert problem_from(TooMany(7)).headers["retry-after"] == "7"


@pytest.mark.parametrize(
    "cause", [OperationalError("SELECT secret", {}, Exception("at 10.0.0.7")), OSError("10.0.0.7")]
)
def test_a_database_that_is_away_is_not_told_of(cause: Exception) -> None:
    error = Unusable("the database cannot be used (at 10.0.0.7)", hint="check LARDER_DATABASE")
    error.__cause__ = cause
    code, problem = told(error)
    assert code == 503
    assert "10.0.0.7" not in str(problem)
