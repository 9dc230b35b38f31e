"""The tree of errors.

LarderError
├── Usage               the caller can put it right: one line, what to do next, exit code 2
│   ├── BadInput        a value that was given is wrong (URL, YAML, unknown adapter …)
│   │   ├── NotThere    what was named is not there
│   │   └── Conflict    it is there, but not so that this can be done with it now
│   ├── NotAllowed      whoever asks may not (a key that opens less, a form from elsewhere)
│   │   └── Stranger    nobody knows who asks (no key, a revoked one)
│   └── Unusable        the place is wrong (newer database, unwritable folder, port in use …)
└── StageError          work on a job went wrong; which branch decides what happens to the job
    ├── Transient       may pass by itself: tried again
    └── Terminal        will not: becomes a dead letter

Whether a job is tried again depends on the class alone, never on the text of a message.
"""

from enum import StrEnum

from larder.core.model.hint import Hint


class Category(StrEnum):
    """What kind of thing failed; every stored error carries one."""

    NETWORK = "network"
    PARSE = "parse"
    VALIDATION = "validation"
    DB = "db"
    QUOTA = "quota"


class LarderError(Exception):
    """Anything Larder says went wrong."""


class UsageError(LarderError):
    """A person can put this right; `hint` says how."""

    def __init__(self, message: str, *, hint: Hint | str = "") -> None:
        super().__init__(message)
        self.hint = Hint(text=hint) if isinstance(hint, str) else hint


class BadInput(UsageError):
    """A value that was given cannot be used."""


class NotFound(BadInput):
    """What was named is not there."""


class Conflict(BadInput):
    """As things stand, this cannot be done."""


class NotAllowed(UsageError):
    """Whoever asks may not do this."""


class NotSignedIn(NotAllowed):
    """Nobody knows who asks."""


class Unusable(UsageError):
    """The surroundings cannot be used: database, folder, port."""


def not_installed(what: str, extra: str) -> Unusable:
    """A part that not everybody needs is asked for and not there."""
    return Unusable(f"{what} needs a package that is not installed", hint=f'pip install "larder[{extra}]"')


class StageError(LarderError):
    """Work on a job failed."""

    category: Category = Category.PARSE

    def __init__(self, message: str, *, category: Category | None = None) -> None:
        super().__init__(message)
        if category is not None:
            self.category = category


class Transient(StageError):
    """May pass by itself."""


class Terminal(StageError):
    """Will fail again however often it is tried."""
