"""Checks a deployment from the outside in: what works, what does not, and what to do about it.

Each check stands alone: one that fails leaves the others to run, and without a database those run that read
nothing of it. Nothing is changed but a probe that is written where page bodies lie.
"""

import asyncio
import os
import shutil
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from larder.app.backup.save import LAST_BACKUP
from larder.app.broker import broker_place, check_broker
from larder.app.data_folder import free_bytes
from larder.app.deployment import App
from larder.app.enriching import LLM_SECRET
from larder.app.findings import CheckStatus, Finding, failed, passed, unused, warned
from larder.app.scouting import SEARCH_SECRET
from larder.core.errors import LarderError
from larder.core.model.caller import Scope
from larder.core.model.hint import Hint
from larder.core.plurals import plural
from larder.store import database as databases
from larder.store.migrations import dump
from larder.store.migrations import upgrade as schema
from larder.store.operations import key_values
from larder.store.operations.access import keys, secrets
from larder.store.pages.blobs import Blobs
from larder.store.queue import lane_reads

SKEW = timedelta(seconds=2)
FREE_BYTES = 1024**3
BACKUP_AGE = timedelta(days=7)
CONNECT_SECONDS = 5.0
PROBE = b"larder doctor: a probe that retention deletes"


async def examine(app: App) -> Sequence[Finding]:
    """Run every check in the order of dependencies."""
    database = await _guarded("database", _database, app)
    usable = database.health is not CheckStatus.FAILED
    others = [
        await _guarded(name, check, app)
        if usable or name in WITHOUT_DATABASE
        else unused(name, "not checked: the database cannot be used")
        for name, check in CHECKS.items()
    ]
    return [database, *others]


async def _guarded(name: str, check: Callable[[App], Awaitable[Finding]], app: App) -> Finding:
    try:
        return await check(app)
    except LarderError as error:
        return failed(name, str(error), getattr(error, "hint", ""))
    except Exception as error:  # noqa: BLE001 - whatever a service answers is a finding
        return failed(name, f"{type(error).__name__}: {error}", "see the logs of the service")


async def _database(app: App) -> Finding:
    await app.run(schema.check)
    path = databases.sqlite_path(app.settings.database_url)
    if path is not None and (found := await asyncio.to_thread(dump.damage_of, path)):
        return failed("database", f"damaged: {found}", "restore the last backup: docs/runbooks/backup.md")
    return passed("database", f"{'PostgreSQL' if path is None else 'SQLite'} at revision {schema.HEAD}")


async def _clock(app: App) -> Finding:
    if app.settings.embedded:
        return passed("clock", "this machine's clock decides when work is due")
    server, _ = await app.read(databases.server_time)
    skew = abs(server - datetime.now(UTC))
    seconds = f"{skew.total_seconds():.1f} s"
    if skew > SKEW:
        return warned(
            "clock",
            f"this machine's clock is {seconds} off the database's clock, which decides when work is due",
            "set up NTP: log lines and keys use this machine's clock",
        )
    return passed("clock", f"{seconds} off the database's")


async def _data_folder(app: App) -> Finding:
    folder = app.settings.data
    path = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    if not os.access(path, os.W_OK | os.X_OK):
        return failed("data folder", f"{folder} cannot be written", "change its owner, or set LARDER_DATA")
    free_text = f"{(free := free_bytes(folder)) / 1024**3:.1f} GB free"
    if free < FREE_BYTES:
        return warned("data folder", free_text, "free space, or set LARDER_PAGES_KEEP_BYTES")
    return passed("data folder", f"{folder}, {free_text}")


async def _bodies(app: App) -> Finding:
    """Written and read back; on the disk of one machine they are of no use to another."""
    location = app.settings.pages or f"{app.settings.data / 'pages'}"
    try:
        body = await _written_and_read(app.blobs())
    except OSError as error:
        return failed("page bodies", f"{location}: {error}", _BUCKET_HINT if app.settings.pages else "")
    if body != PROBE:
        return failed("page bodies", f"{location}: a written body cannot be read back", _BUCKET_HINT)
    hosts = await app.read(lane_reads.list_hosts, now=app.clock.now())
    if len(hosts) > 1 and not app.settings.pages:
        return failed(
            "page bodies",
            f"{len(hosts)} machines work ({', '.join(hosts)}), and each stores page bodies on its own disk",
            "set LARDER_PAGES to a bucket on every machine, or mount one data folder on all of them",
        )
    return passed("page bodies", location)


async def _written_and_read(blobs: Blobs) -> bytes | None:
    try:
        (stored,) = await blobs.put([PROBE])
        return await blobs.get(stored.location, stored.content_hash)
    finally:
        await blobs.close()


_BUCKET_HINT = (
    "check LARDER_PAGES, LARDER_PAGES_ENDPOINT and LARDER_PAGES_REGION, "
    "and whether LARDER_PAGES_ACCESS_KEY may write there"
)


async def _stored_packs(app: App) -> Finding:
    """Every file of bodies that the database refers to is there, and as long as it must be."""
    if app.settings.pages:
        return unused("stored pages", "in a bucket, which is not checked")
    needed = await app.read(dump.needed_packs)
    sizes = {pack.key: pack.size for pack in await app.blobs().packs()}
    missing = [key for key, end in needed.items() if key.startswith("pack:") and sizes.get(key, 0) < end]
    if missing:
        return warned(
            "stored pages",
            f"missing or truncated: {len(missing)} of {plural(len(needed), 'file')} with page bodies",
            "restore them from a backup; pages without a body are fetched again when they are due",
        )
    return passed("stored pages", f"{plural(len(needed), 'file')} with page bodies")


async def _backup(app: App) -> Finding:
    last: str | None = await app.read(key_values.read, LAST_BACKUP)
    if last is None:
        return unused("backup", "no backup was made here")
    age = app.wall.now() - datetime.fromisoformat(last)
    message = f"the last one is {plural(age.days, 'day')} old"
    if age > BACKUP_AGE:
        return warned("backup", message, Hint(action="backup.create"))
    return passed("backup", message)


async def _monitoring(app: App) -> Finding:
    """Checks that a monitor can read /metrics."""
    if app.settings.metrics_public:
        return passed("metrics", "/metrics is open to everyone who reaches it")
    scraped = [key for key in await app.read(keys.list_keys) if Scope.METRICS in key.scopes]
    if not [key for key in scraped if key.revoked_at is None]:
        return unused("metrics", "no key of the scope metrics: nobody reads /metrics")
    return passed("metrics", "there is a key for /metrics")


async def _parsing(app: App) -> Finding:
    pid = await app.parse_runner.run(os.getpid)
    return passed("parse workers", f"process {pid} answered")


async def _broker(app: App) -> Finding:
    broker = app.settings.broker.get_secret_value()
    if not broker:
        return unused("broker", "no Celery workers")
    if app.settings.embedded:
        hint = Hint(text="copy the data, then set LARDER_DATABASE", action="database.copy")
        return failed("broker", "Celery workers need PostgreSQL", hint)
    await asyncio.to_thread(check_broker, broker)
    return passed("broker", broker_place(broker))


async def _browser(app: App) -> Finding:
    path = app.settings.browser
    if path is None:
        return unused("browser", "pages that need JavaScript stay empty")
    if shutil.which(path) is None:
        return failed("browser", f"{path} cannot be executed", "install Chromium, or correct LARDER_BROWSER")
    process = await asyncio.create_subprocess_exec(path, "--version", stdout=asyncio.subprocess.PIPE)
    output, _ = await asyncio.wait_for(process.communicate(), CONNECT_SECONDS * 4)
    return passed("browser", output.decode(errors="replace").strip())


async def _services(app: App) -> Finding:
    """Outside services that are configured; nothing is asked of them that costs a credit."""
    settings = app.settings
    configured = {
        "relay": settings.relay_url if settings.relay_key.get_secret_value() else "",
        "Apify": settings.apify_url if settings.apify_token.get_secret_value() else "",
        "geocoder": settings.geocoder,
        "Elasticsearch": settings.elasticsearch.get_secret_value(),
        "ClickHouse": settings.clickhouse.get_secret_value(),
    }
    urls = {name: url for name, url in configured.items() if url}
    if not urls:
        return unused("outside services", "none configured")
    unreachable = [name for name, url in urls.items() if not await _answers(url)]
    if unreachable:
        return warned(
            "outside services", f"no connection to {', '.join(unreachable)}", "check the URL and the network"
        )
    return passed("outside services", ", ".join(urls))


async def _secret_key(app: App) -> Finding:
    """Set, valid, and the key that the stored secrets were encrypted with."""
    key = app.settings.secret_key.get_secret_value()
    sealed = await app.read(secrets.list_unreadable, secrets.SecretCipher(key))  # refuses an invalid key
    if sealed:
        without = "with this key" if key else "without a key"
        return failed(
            "secret key",
            f"{plural(len(sealed), 'stored secret')} ({', '.join(sealed[:5])}) cannot be decrypted {without}",
            "set LARDER_SECRET_KEY to the key they were stored with, the same on every machine",
        )
    return passed("secret key", "set") if key else unused("secret key", "none: secrets cannot be stored")


async def _search_provider(app: App) -> Finding:
    if SEARCH_SECRET not in await app.read(secrets.list_names):
        return unused("search provider", f"no secret {SEARCH_SECRET}: scouts search nothing")
    return await _reached("search provider", app.settings.search_url, "LARDER_SEARCH_URL")


async def _language_model(app: App) -> Finding:
    if not app.settings.llm_url:
        return unused("language model", "none configured: items are read by rules only")
    keyed = LLM_SECRET in await app.read(secrets.list_names)
    note = "" if keyed else f", without a key (secret {LLM_SECRET})"
    return await _reached("language model", app.settings.llm_url, "LARDER_LLM_URL", note)


async def _reached(check: str, url: str, setting: str, note: str = "") -> Finding:
    host = urlsplit(url).hostname
    if not await _answers(url):
        return warned(check, f"no connection to {host}{note}", f"check {setting} and the network")
    return passed(check, f"{host}{note}")


async def _answers(url: str) -> bool:
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        opening = asyncio.open_connection(parts.hostname, port)
        _, writer = await asyncio.wait_for(opening, CONNECT_SECONDS)
    except (OSError, TimeoutError):
        return False
    writer.close()
    return True


CHECKS = {
    "clock": _clock,
    "data folder": _data_folder,
    "page bodies": _bodies,
    "stored pages": _stored_packs,
    "backup": _backup,
    "metrics": _monitoring,
    "parse workers": _parsing,
    "broker": _broker,
    "secret key": _secret_key,
    "browser": _browser,
    "outside services": _services,
    "search provider": _search_provider,
    "language model": _language_model,
}
"""After that of the database."""

WITHOUT_DATABASE = {"data folder", "parse workers", "broker", "browser", "outside services"}
