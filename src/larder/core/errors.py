"""The tree of errors.

LarderError
├── UsageError          the caller can correct it: one line, what to do next, exit code 2
│   ├── BadInput        a value that was given is wrong (URL, YAML, unknown adapter …)
│   │   ├── NotFound    what was named does not exist
│   │   └── Conflict    it exists, but its state does not allow this
│   │       └── NotQueued   there is no room for the work now: it says why and when to try again
│   ├── NotAllowed      the caller may not (a key without the scope, a form from another site)
│   │   └── NotSignedIn the caller is unknown (no key, a revoked key)
│   ├── ParseAborted    reading a page took too much time or memory, or crashed its process
│   └── Unusable        the environment is wrong (newer database, unwritable folder, port in use …)
└── StageError          work on a job failed; the branch decides what happens to the job
    ├── Transient       may succeed later: retried
    │   ├── ServiceLimited  the rate limit of an outside service is reached
    │   └── ServiceRefused  a service's key is wrong or its quota spent: a person must act
    └── Terminal        will not: becomes a dead letter

Whether a job is retried depends on the class alone, never on the text of a message.
"""

from datetime import timedelta
from enum import StrEnum

from larder.core.model.hint import Hint, as_hint
from larder.core.model.outcome import FailReason


class Category(StrEnum):
    """What kind of thing failed; every stored error carries one."""

    NETWORK = "network"
    PARSE = "parse"
    VALIDATION = "validation"
    DB = "db"
    QUOTA = "quota"


class LarderError(Exception):
    """The base class of all errors that Larder raises."""


class UsageError(LarderError):
    """A person can correct this; `hint` says how."""

    def __init__(self, message: str, *, hint: Hint | str = "") -> None:
        super().__init__(message)
        self.hint = as_hint(hint)


class BadInput(UsageError):
    """A value that was given cannot be used."""


class NotFound(BadInput):
    """What was named does not exist."""


class Conflict(BadInput):
    """The current state does not allow it."""


class NotQueued(Conflict):
    """Work was not queued: `reason` is a word for programs, `retry_after` is in seconds."""

    def __init__(self, message: str, *, reason: str, retry_after: int, hint: Hint | str = "") -> None:
        super().__init__(message, hint=hint)
        self.reason = reason
        self.retry_after = retry_after


class NotAllowed(UsageError):
    """The caller is not allowed to do this."""


class NotSignedIn(NotAllowed):
    """The request has no valid credentials."""


class Unusable(UsageError):
    """The environment cannot be used: database, folder, port."""


class ParseAborted(UsageError):
    """Reading a page was ended; `trace` shows where it was."""

    def __init__(self, message: str, *, reason: FailReason, hint: str = "", trace: str = "") -> None:
        super().__init__(message, hint=hint)
        self.reason = reason
        self.trace = trace


class AlreadyDriven(Unusable):
    """Another process drives this data folder."""


def not_installed(package: str, extra: str) -> Unusable:
    """The error for an optional extra that is not installed."""
    return Unusable(f"{package} needs a package that is not installed", hint=f'pip install "larder[{extra}]"')


class StageError(LarderError):
    """Work on a job failed."""

    category: Category = Category.PARSE

    def __init__(self, message: str, *, category: Category | None = None) -> None:
        super().__init__(message)
        if category is not None:
            self.category = category


class Transient(StageError):
    """May succeed when it is tried again."""


class ServiceLimited(Transient):
    """The rate limit of an outside service is reached: ask again after `retry_after`."""

    def __init__(self, message: str, *, retry_after: timedelta | None = None) -> None:
        super().__init__(message, category=Category.QUOTA)
        self.retry_after = retry_after


class ServiceRefused(Transient):
    """A service does not answer before a person acts: the key is wrong, or its quota is spent (`quota`)."""

    def __init__(self, message: str, *, quota: bool = False) -> None:
        super().__init__(message, category=Category.QUOTA)
        self.quota = quota


class Terminal(StageError):
    """Fails again however often it is tried."""
