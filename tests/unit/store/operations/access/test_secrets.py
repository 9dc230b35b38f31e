"""Secrets: closed at rest, silent everywhere, and clear about a missing or wrong key."""

import base64
import pickle
import traceback
from datetime import UTC, datetime

import pytest
from sqlalchemy import select

from larder.core.errors import Unusable
from larder.store.database import InlineDatabase, inline_database
from larder.store.migrations import upgrade
from larder.store.operations.access import secrets
from larder.store.operations.access.secrets import Secret, SecretCipher
from larder.store.tables import secrets as table

NOW = datetime(2026, 3, 1, tzinfo=UTC)
KEY = base64.urlsafe_b64encode(bytes(range(32))).decode()
OTHER = base64.urlsafe_b64encode(bytes(32)).decode()
WORD = "hunter2-and-more"


@pytest.fixture
def db() -> InlineDatabase:
    database = inline_database()
    database.now(upgrade.create)
    return database


def test_what_goes_in_comes_out_and_is_not_there_in_the_clear(db: InlineDatabase) -> None:
    db.now(secrets.put, "apify", Secret(WORD), SecretCipher(KEY), now=NOW)
    found = db.now(secrets.get, "apify", SecretCipher(KEY))
    assert found is not None
    assert found.reveal() == WORD
    stored = db.now(lambda conn: conn.scalar(select(table.c.ciphertext)))
    assert stored is not None
    assert WORD not in stored
    assert WORD.encode() not in base64.urlsafe_b64decode(stored.removeprefix("v1."))


def test_the_same_value_never_looks_the_same(db: InlineDatabase) -> None:
    box = SecretCipher(KEY)
    assert box.close("a", Secret(WORD)) != box.close("a", Secret(WORD))


def test_a_newer_value_replaces_the_older_and_removal_removes(db: InlineDatabase) -> None:
    box = SecretCipher(KEY)
    db.now(secrets.put, "login", Secret("old"), box, now=NOW)
    db.now(secrets.put, "login", Secret("new"), box, now=NOW)
    found = db.now(secrets.get, "login", box)
    assert found is not None
    assert found.reveal() == "new"
    assert db.now(secrets.list_names) == ["login"]
    assert db.now(secrets.remove, "login")
    assert not db.now(secrets.remove, "login")
    assert db.now(secrets.get, "login", box) is None


def test_without_a_key_nothing_is_stored_and_the_next_step_is_told(db: InlineDatabase) -> None:
    with pytest.raises(Unusable, match="LARDER_SECRET_KEY is not set") as refused:
        db.now(secrets.put, "apify", Secret(WORD), SecretCipher(""), now=NOW)
    assert "python -c" in refused.value.hint.text
    assert db.now(secrets.list_names) == []


@pytest.mark.parametrize("key", ["short", "not base64 at all!", "ä" * 43, KEY[:-8]])
def test_a_key_of_the_wrong_shape_is_refused_without_being_shown(key: str) -> None:
    with pytest.raises(Unusable, match="32 bytes") as refused:
        SecretCipher(key)
    assert key not in str(refused.value) + refused.value.hint.text


def test_the_key_that_its_own_hint_makes_fits() -> None:
    import secrets as standard

    assert SecretCipher(standard.token_urlsafe(32)).close("a", Secret("b"))


@pytest.mark.parametrize("change", ["key", "name", "bytes"])
def test_what_does_not_belong_together_does_not_open(change: str) -> None:
    stored = SecretCipher(KEY).close("a", Secret(WORD))
    box = SecretCipher(OTHER if change == "key" else KEY)
    if change == "bytes":
        stored = stored[:-6] + ("AAAAAA" if stored[-6:] != "AAAAAA" else "BBBBBB")
    with pytest.raises(Unusable, match="cannot be opened"):
        box.open("b" if change == "name" else "a", stored)


def test_a_secret_shows_itself_nowhere() -> None:
    secret = Secret(WORD)
    shown = [
        repr(secret),
        str(secret),
        f"{secret}",
        f"{secret!r:>20}",
        repr({"token": secret}),
    ]
    assert not [text for text in shown if WORD in text]
    with pytest.raises(TypeError):
        pickle.dumps(secret)


def test_nor_does_the_trace_of_a_failure() -> None:
    stored = SecretCipher(KEY).close("a", Secret(WORD))
    try:
        SecretCipher(OTHER).open("a", stored)
    except Unusable:
        assert WORD not in traceback.format_exc()
        assert KEY not in traceback.format_exc()


def test_an_empty_secret_is_falsy() -> None:
    assert not Secret("")
    assert Secret("x")
