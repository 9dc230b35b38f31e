"""Classifies errors of writes: an invalid row, a busy or failing database, or no connection.

Drivers report them in many ways; only this module interprets them. An error that is not listed here is caused
by the statement, and a retry would fail again.
"""

from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError, OperationalError

from larder.core.errors import Category, Transient, Unusable
from larder.core.policy.degradation import DatabaseFault

_LOST = ("08", "57P")
"""SQLSTATEs of a broken connection, or of a server that is starting or stopping."""
_REFUSING = ("25006", "53", "55P03", "57014", "58", "XX")
"""… and of a server that refuses writes now: read-only, out of memory, locked, damaged."""
_REFUSALS = (
    "disk I/O error",
    "readonly database",
    "unable to open database",
    "database is locked",
    "ermission denied",
    "malformed",
    "file is not a database",
)
_DAMAGE = ("malformed", "file is not a database", "missing chunk", "invalid page", "could not read block")
_DOUBLED = frozenset({"23505", "SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY"})
_ORPHANED = frozenset({"23503", "SQLITE_CONSTRAINT_FOREIGNKEY"})


def database_fault(error: BaseException) -> DatabaseFault | None:
    """The fault of the database; None: the statement is at fault."""
    if is_disk_full(error):
        return DatabaseFault.DISK_FULL
    if isinstance(error, Transient) and error.category is Category.DB:
        return DatabaseFault.UNIQUE  # another transaction wrote the same row meanwhile
    if isinstance(error, IntegrityError):
        return _violated(error)
    if is_connection_lost(error):
        return DatabaseFault.CONNECTION
    return DatabaseFault.WRITE if isinstance(error, DBAPIError) and _refuses(error) else None


def is_connection_lost(error: BaseException) -> bool:
    """Whether the connection was lost or could not be made."""
    if not isinstance(error, DBAPIError):
        return isinstance(error, OSError) and not is_disk_full(error)
    lost = error.connection_invalidated or isinstance(error, InterfaceError)
    return lost or _state(error).startswith(_LOST)


def is_unavailable(error: BaseException) -> bool:
    """Whether the database cannot be used now, whatever is written."""
    return database_fault(error) in (DatabaseFault.CONNECTION, DatabaseFault.WRITE, DatabaseFault.DISK_FULL)


def is_disk_full(error: BaseException) -> bool:
    """Whether the disk is full."""
    message = _first_line(error)
    return ("disk" in message and "full" in message) or "No space left" in message


def is_damage(error: BaseException) -> bool:
    """Whether the file of the database is damaged."""
    return any(words in _first_line(error) for words in _DAMAGE)


def damaged(message: str) -> Unusable:
    """The error about a damaged database, with the next step."""
    return Unusable(
        f"the database is damaged ({message})", hint="restore the last backup: docs/runbooks/backup.md"
    )


def explain(error: DBAPIError | OSError) -> Unusable:
    """One line for a person, from a driver's error."""
    message = _first_line(error)
    if is_disk_full(error):
        return Unusable(
            f"the disk is full ({message})", hint="free some space and start again; nothing is half-written"
        )
    if is_damage(error):
        return damaged(message)
    if "readonly" in message or "unable to open" in message or "ermission" in message:
        return Unusable(
            f"the database cannot be written ({message})", hint="check the folder's owner and mode"
        )
    if isinstance(error, OperationalError) and "locked" in message:
        return Unusable("the database is locked by another program", hint="close it, or wait and try again")
    return Unusable(
        f"the database cannot be used ({message})", hint="check LARDER_DATABASE; is its server up?"
    )


def _refuses(error: DBAPIError) -> bool:
    return _state(error).startswith(_REFUSING) or any(words in _first_line(error) for words in _REFUSALS)


def _violated(error: IntegrityError) -> DatabaseFault | None:
    broken = {_state(error), str(getattr(error.orig, "sqlite_errorname", ""))}
    if broken & _DOUBLED:
        return DatabaseFault.UNIQUE
    return DatabaseFault.FOREIGN_KEY if broken & _ORPHANED else None


def _state(error: DBAPIError) -> str:
    return str(getattr(error.orig, "sqlstate", None) or "")


def _first_line(error: BaseException) -> str:
    return str(getattr(error, "orig", None) or error).split("\n", 1)[0]
