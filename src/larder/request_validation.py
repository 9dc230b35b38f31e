"""What holds at the edge, for the API and the pages alike: what may come in at all, and what may not go out.

An address with a number that no row can have leads nowhere, so it is not even routed; a text that a database
cannot hold is refused before anybody asks one; what a database says of itself is told to the log alone.
Neither face has rules of its own for this.
"""

import logging
from typing import Any

from sqlalchemy.exc import SQLAlchemyError
from starlette.convertors import Convertor, register_url_convertor
from starlette.requests import HTTPConnection

from larder.core.errors import BadInput, LarderError, Unusable

_log = logging.getLogger("larder.request_validation")

ID_DIGITS = 18
"""No row's number has more: they last for longer than any database does, and fit into 64 bits."""
MAX_ID = 10**ID_DIGITS - 1
MAX_DEPTH = 32
"""Lists in lists: nobody who means it goes further."""


class RowIdConvertor(Convertor[int]):
    """The number of a row in a path, written `{run_id:row}`."""

    regex = f"[1-9][0-9]{{0,{ID_DIGITS - 1}}}"

    def convert(self, value: str) -> int:
        """As it is asked for."""
        return int(value)

    def to_string(self, value: int) -> str:
        """As it is written."""
        return str(value)


register_url_convertor("row", RowIdConvertor())


def storage_problem(given: Any, *, room: int = MAX_DEPTH) -> str:
    """Why the databases could not hold this; empty: they can."""
    if isinstance(given, str):
        return "" if _is_text(given) else "contains an invalid character (NUL or a lone surrogate)"
    if not isinstance(given, (dict, list, tuple)):
        return ""
    if not room:
        return f"is nested more than {MAX_DEPTH} levels deep"
    inside = [*given, *given.values()] if isinstance(given, dict) else given
    return next(filter(None, (storage_problem(each, room=room - 1) for each in inside)), "")


def check_url(request: HTTPConnection) -> None:
    """Refuse an address with something in its path or its query that no database holds."""
    found = storage_problem([request.path_params, request.query_params.multi_items()])
    if found:
        raise BadInput(f"the URL {found}", hint="remove that character")


class DatabaseUnavailable(Unusable):
    """The database does not answer."""


def public_error(error: LarderError) -> LarderError:
    """The error as callers may be told of it; of a database no more than that it is away."""
    if not isinstance(error.__cause__, (SQLAlchemyError, OSError)):
        return error
    _log.error("%s", " ".join(str(error).split()))
    return DatabaseUnavailable("the database is unavailable", hint="try again in a minute")


def _is_text(given: str) -> bool:
    try:
        given.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in given
