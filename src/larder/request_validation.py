"""Request validation shared by the API and the pages.

Ids that no row can have are not routed; text that a database cannot store is refused before a query; database
errors are logged and hidden from callers.
"""

import logging
from typing import Any

from starlette.convertors import Convertor, register_url_convertor
from starlette.requests import HTTPConnection

from larder.core.errors import BadInput, LarderError, Unusable
from larder.store.database import DatabaseError

_log = logging.getLogger("larder.request_validation")

ID_DIGITS = 18
"""Maximum digits of a row id; 18 digits fit into 64 bits."""
MAX_ID = 10**ID_DIGITS - 1
MAX_DEPTH = 32
"""Maximum nesting of lists and objects."""


class RowIdConvertor(Convertor[int]):
    """The id of a row in a path, written `{run_id:row}`."""

    regex = f"[1-9][0-9]{{0,{ID_DIGITS - 1}}}"

    def convert(self, value: str) -> int:
        """Convert from the path."""
        return int(value)

    def to_string(self, value: int) -> str:
        """Convert into the path."""
        return str(value)


register_url_convertor("row", RowIdConvertor())


def storage_problem(value: Any, *, levels_left: int = MAX_DEPTH) -> str:
    """Why the databases cannot store a value; empty if they can."""
    if isinstance(value, str):
        return "" if _is_text(value) else "contains an invalid character (NUL or a lone surrogate)"
    if not isinstance(value, (dict, list, tuple)):
        return ""
    if not levels_left:
        return f"is nested more than {MAX_DEPTH} levels deep"
    inside = [*value, *value.values()] if isinstance(value, dict) else value
    return next(filter(None, (storage_problem(each, levels_left=levels_left - 1) for each in inside)), "")


def check_url(request: HTTPConnection) -> None:
    """Refuses a URL with characters that no database can store."""
    found = storage_problem([request.path_params, request.query_params.multi_items()])
    if found:
        raise BadInput(f"the URL {found}", hint="remove that character")


class DatabaseUnavailable(Unusable):
    """The database is unavailable."""


def public_error(error: LarderError) -> LarderError:
    """The error for callers; database errors are replaced by `DatabaseUnavailable`."""
    if not isinstance(error.__cause__, (DatabaseError, OSError)):
        return error
    _log.error("%s", " ".join(str(error).split()))
    return DatabaseUnavailable("the database is unavailable", hint="try again in a minute")


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in value
