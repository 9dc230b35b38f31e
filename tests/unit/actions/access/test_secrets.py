"""Secrets go in by name, and only their names come out."""

import pytest

from larder.actions.access import secrets
from larder.core.errors import BadInput
from larder.store.operations.access import secrets as store
from larder.store.operations.access.secrets import Secret, SecretCipher
from tests.unit.actions.conftest import Office

BOX = SecretCipher("a" * 43)


def test_set_replaced_and_removed(office: Office) -> None:
    assert office.act(secrets.put, "shop-token", Secret("hush"), BOX) == ["shop-token"]
    office.act(secrets.put, "shop-token", Secret("hush hush"), BOX)
    kept = office.ask(store.get, "shop-token", BOX)
    assert kept.reveal() == "hush hush"
    assert office.act(secrets.remove, "shop-token") == []
    assert [action for action, _, _ in office.audited()] == ["secret set", "secret set", "secret removed"]
    assert "hush" not in repr(office.audited())


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("", "x", "invalid secret name"),
        ("a b", "x", "invalid secret name"),
        ("token", "", "the secret is empty"),
    ],
)
def test_what_is_refused(office: Office, name: str, value: str, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        office.act(secrets.put, name, Secret(value), BOX)


def test_there_is_no_such_secret(office: Office) -> None:
    with pytest.raises(BadInput, match="there is no secret 'x'"):
        office.act(secrets.remove, "x")
