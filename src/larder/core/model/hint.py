"""What a person can do next, as a value: the command line, the API and the web pages each render it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

HintAction = Literal[
    "adapter.accept",
    "adapter.canary",
    "adapter.enable",
    "adapter.heal",
    "adapter.list",
    "adapter.new",
    "alert.list",
    "backup.create",
    "database.copy",
    "database.upgrade",
    "dead_letter.list",
    "dead_letter.show",
    "entity.list",
    "entity.show",
    "key.add",
    "key.link",
    "key.list",
    "key.revoke",
    "page.fetch",
    "page.try",
    "proxy.list",
    "quarantine.list",
    "quarantine.release",
    "quarantine.show",
    "record.export",
    "record.list",
    "record.show",
    "run.list",
    "run.show",
    "run.resume",
    "run.stop",
    "run.unvoid",
    "secret.list",
    "secret.remove",
    "secret.set",
    "site.list",
    "site.review",
    "site.unblock",
    "source.add",
    "source.enable",
    "source.import",
    "source.learn",
    "source.list",
    "source.review",
    "source.why",
    "target.list",
    "target.resume",
    "watch.list",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class NextStep:
    """The action that a hint suggests, for programs."""

    action: str
    target: str | None = None
    """The slug, number or name that it is about."""
    options: Mapping[str, str] = field(default_factory=dict)
    """Named values of the action."""
    text: str = ""
    """The hint's words, for a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """A sentence, an action, or both; an action names what it is about in `target`."""

    text: str = ""
    action: HintAction | None = None
    target: str = ""
    options: tuple[tuple[str, str], ...] = ()
    """Named values of the action, such as `("site", "example.com")`; a switch has an empty value."""

    def __bool__(self) -> bool:
        """False for an empty hint."""
        return bool(self.text or self.action)

    @property
    def next_step(self) -> NextStep | None:
        """The action for programs; None where only words are given."""
        if self.action is None:
            return None
        return NextStep(
            action=self.action, target=self.target or None, options=dict(self.options), text=self.text
        )


NO_HINT = Hint()


def as_hint(hint: Hint | str) -> Hint:
    """A hint; words alone are one without an action."""
    return Hint(text=hint) if isinstance(hint, str) else hint
