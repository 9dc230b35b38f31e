"""The pool as an operator keeps it; the password never shows."""

import pytest

from larder.actions.operations import proxies
from larder.core.errors import BadInput, Unusable
from larder.store.operations.access.secrets import SecretCipher
from tests.unit.actions.conftest import Office

BOX = SecretCipher("a" * 43)
URL = "socks5://ada:hush@proxy.example"


def test_from_the_first_to_the_last(office: Office) -> None:
    added = office.act(proxies.add, URL, BOX)
    assert (added.address, added.username, added.enabled) == ("socks5://proxy.example:1080", "ada", True)
    assert not office.act(proxies.disable, added.id).enabled
    assert office.act(proxies.enable, added.id).enabled
    assert office.act(proxies.add, URL, BOX).id == added.id
    assert office.act(proxies.remove, added.id).id == added.id
    assert office.ask(proxies.list_proxies) == []
    said = [action for action, _, _ in office.audited()]
    assert said == ["proxy added", "proxy disabled", "proxy enabled", "proxy added", "proxy removed"]


def test_the_password_is_told_nowhere(office: Office) -> None:
    office.act(proxies.add, URL, BOX)
    assert "hush" not in repr(office.ask(proxies.list_proxies)) + repr(office.audited())
    with pytest.raises(BadInput) as raised:
        office.act(proxies.add, "ftp://ada:hush@proxy.example", BOX)
    assert "hush" not in f"{raised.value} {raised.value.hint.text}"


def test_without_a_key_no_password_is_kept(office: Office) -> None:
    with pytest.raises(Unusable, match="LARDER_SECRET_KEY is not set"):
        office.act(proxies.add, URL, SecretCipher(""))
    assert office.act(proxies.add, "http://proxy.example:3128", SecretCipher("")).username is None


@pytest.mark.parametrize("order", [proxies.enable, proxies.disable, proxies.remove])
def test_there_is_no_such_proxy(office: Office, order: object) -> None:
    with pytest.raises(BadInput, match="there is no proxy 9"):
        office.act(order, 9)  # type: ignore[arg-type]
