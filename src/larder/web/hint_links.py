"""A hint as a link: each action leads to the page where it can be done, or whose list shows its targets."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

from larder.core.model.hint import Hint, HintAction

PAGES: Mapping[HintAction, tuple[str, str] | None] = {
    "adapter.accept": ("/admin/adapters/{}", "See adapter {}"),
    "adapter.canary": ("/admin/adapters/{}", "See adapter {}"),
    "adapter.enable": ("/admin/adapters/{}", "See adapter {}"),
    "adapter.heal": ("/admin/sources/{}/healing", "See the repairs of {}"),
    "adapter.list": ("/admin/adapters", "See the adapters"),
    "adapter.new": None,
    "alert.list": ("/admin/alerts", "See the alerts"),
    "backup.create": None,
    "database.copy": None,
    "database.upgrade": None,
    "dead_letter.list": ("/admin/dead", "See the dead letters"),
    "dead_letter.show": ("/admin/dead/{}", "See dead letter {}"),
    "entity.list": None,
    "entity.show": None,
    "key.add": ("/admin/keys", "See the keys"),
    "key.link": ("/admin/keys", "See the keys"),
    "key.list": ("/admin/keys", "See the keys"),
    "key.revoke": ("/admin/keys", "See the keys"),
    "page.fetch": None,
    "page.try": None,
    "proxy.list": ("/admin/proxies", "See the proxies"),
    "quarantine.list": ("/admin/quarantine", "See the quarantine"),
    "quarantine.release": ("/admin/quarantine/{}", "See item {}"),
    "quarantine.show": ("/admin/quarantine/{}", "See item {}"),
    "record.export": ("/admin/records", "See the records"),
    "record.list": ("/admin/records", "See the records"),
    "record.show": ("/records/{}", "See record {}"),
    "run.list": ("/admin/runs", "See the runs"),
    "run.show": ("/admin/runs/{}", "See run {}"),
    "run.resume": ("/admin/runs/{}", "See run {}"),
    "run.stop": ("/admin/runs/{}", "See run {}"),
    "run.unvoid": ("/admin/runs/{}", "See run {}"),
    "secret.list": None,
    "secret.remove": None,
    "secret.set": None,
    "site.list": ("/admin/sites", "See the sites"),
    "site.review": ("/admin/sites/{}", "See site {}"),
    "site.unblock": ("/admin/sites/{}", "See site {}"),
    "source.add": ("/admin/sources/new", "Add a source"),
    "source.enable": ("/admin/sources/{}", "See source {}"),
    "source.import": ("/admin/sources", "See the sources"),
    "source.learn": ("/admin/sources/{}/profile", "Learn its site profile"),
    "source.list": ("/admin/sources", "See the sources"),
    "source.review": ("/admin/sources/{}", "See source {}"),
    "source.why": ("/admin/sources/{}", "See source {}"),
    "target.list": ("/admin/targets", "See the targets"),
    "target.resume": ("/admin/targets", "See the targets"),
    "watch.list": ("/admin/watches", "See the watches"),
}
"""Address and label by action, with the target at `{}`; None: there is no such page."""


@dataclass(frozen=True, slots=True)
class HintLink:
    """A hint's words, and the page that it leads to."""

    text: str = ""
    href: str = ""
    label: str = ""


def hint_link(hint: Hint | str) -> HintLink:
    """Render a hint with its link."""
    if isinstance(hint, str):
        return HintLink(hint)
    page = PAGES[hint.action] if hint.action else None
    if page is None:
        return HintLink(": ".join(filter(None, (hint.text, hint.target))))
    href, label = page
    return HintLink(hint.text, href.format(quote(hint.target, safe="")), label.format(hint.target))
