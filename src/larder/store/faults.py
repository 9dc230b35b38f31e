"""Whose fault is it that something could not be written: the row's, the database's, or nobody's there?

Drivers tell in many ways; this is the one place that reads them. What is not named here is a fault of what
was asked, and no other try would end differently.
"""

from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError

from larder.core.errors import Category, Transient
from larder.core.policy.degradation import DatabaseFault
from larder.store.database import disk_is_full

_LOST = ("08", "57P")
"""SQLSTATEs of a connection that broke, or of a server that is going or coming."""
_REFUSING = ("25006", "53", "55P03", "57014", "58", "XX")
"""… and of one that writes nothing now: read-only, out of memory, locked, broken."""
_REFUSALS = (
    "disk I/O error",
    "readonly database",
    "unable to open database",
    "database is locked",
    "ermission denied",
)
_DOUBLED = frozenset({"23505", "SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY"})
_ORPHANED = frozenset({"23503", "SQLITE_CONSTRAINT_FOREIGNKEY"})


def fault_of(error: BaseException) -> DatabaseFault | None:
    """Which fault of the database this is; None: it is a fault of what was asked."""
    if disk_is_full(error):
        return DatabaseFault.DISK_FULL
    if isinstance(error, Transient) and error.category is Category.DB:
        return DatabaseFault.UNIQUE  # somebody else wrote the same row meanwhile
    if isinstance(error, IntegrityError):
        return _violated(error)
    if is_lost(error):
        return DatabaseFault.CONNECTION
    return DatabaseFault.WRITE if isinstance(error, DBAPIError) and _refuses(error) else None


def is_lost(error: BaseException) -> bool:
    """Nobody is there to answer, or no longer."""
    if not isinstance(error, DBAPIError):
        return isinstance(error, OSError) and not disk_is_full(error)
    gone = error.connection_invalidated or isinstance(error, InterfaceError)
    return gone or _state(error).startswith(_LOST)


def is_away(error: BaseException) -> bool:
    """The database itself cannot be used now, whatever was to be written."""
    return fault_of(error) in (DatabaseFault.CONNECTION, DatabaseFault.WRITE, DatabaseFault.DISK_FULL)


def _refuses(error: DBAPIError) -> bool:
    said = str(error.orig).split("\n", 1)[0]
    return _state(error).startswith(_REFUSING) or any(words in said for words in _REFUSALS)


def _violated(error: IntegrityError) -> DatabaseFault | None:
    broken = {_state(error), str(getattr(error.orig, "sqlite_errorname", ""))}
    if broken & _DOUBLED:
        return DatabaseFault.UNIQUE
    return DatabaseFault.FOREIGN_KEY if broken & _ORPHANED else None


def _state(error: DBAPIError) -> str:
    return str(getattr(error.orig, "sqlstate", None) or "")
