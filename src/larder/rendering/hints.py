"""A hint as a command line and as a sentence."""

import shlex
from collections.abc import Mapping

from larder.core.model.hint import Hint, HintAction

COMMANDS: Mapping[HintAction, str] = {
    "adapter.accept": "adapter canary {} --accept",
    "adapter.canary": "adapter canary {}",
    "adapter.enable": "adapter enable {}",
    "adapter.heal": "adapter heal {}",
    "adapter.list": "adapter list",
    "adapter.new": "adapter new {}",
    "alert.list": "alert list",
    "backup.create": "backup FILE",
    "database.copy": "db copy URL",
    "database.upgrade": "db upgrade",
    "dead_letter.list": "dead list",
    "dead_letter.show": "dead show {}",
    "entity.list": "entity list",
    "entity.show": "entity show {}",
    "key.add": "key add NAME",
    "key.link": "key link",
    "key.list": "key list",
    "key.revoke": "key revoke {}",
    "page.fetch": "fetch {}",
    "page.try": "try {}",
    "proxy.list": "proxy list",
    "quarantine.list": "quarantine list",
    "quarantine.release": "quarantine release {} --set FIELD=VALUE",
    "quarantine.show": "quarantine show {}",
    "record.export": "export",
    "record.list": "records list",
    "record.show": "records show {}",
    "run.list": "run list",
    "run.show": "run show {}",
    "run.resume": "run resume {}",
    "run.stop": "run stop {}",
    "run.unvoid": "run unvoid {}",
    "secret.list": "secret list",
    "secret.remove": "secret remove {}",
    "secret.set": "secret set {}",
    "site.list": "site list",
    "site.review": "site review {}",
    "site.unblock": "site unblock {}",
    "source.add": "source add URL",
    "source.enable": "source enable {}",
    "source.import": "source import {}",
    "source.learn": "source learn {}",
    "source.list": "source list",
    "source.review": "source review {}",
    "source.why": "why {}",
    "target.list": "target list",
    "target.resume": "target resume {}",
    "watch.list": "watch list",
}


def command_line(hint: Hint) -> str:
    """The command that does what a hint suggests; empty where it suggests none."""
    if hint.action is None:
        return ""
    command = COMMANDS[hint.action].format(shlex.quote(hint.target) if hint.target else "")
    options = (f"--{name} {shlex.quote(value)}" if value else f"--{name}" for name, value in hint.options)
    return " ".join(("larder", command.strip(), *options))


def sentence(hint: Hint) -> str:
    """The words of a hint, then its command."""
    return ": ".join(part for part in (hint.text, command_line(hint)) if part)
