"""Mail over real SMTP, and signed webhooks."""

import hmac
from email import message_from_bytes
from email.policy import default
from hashlib import sha256

import aiohttp
import pytest

from larder.core.errors import BadInput
from larder.core.policy.delivery import Delivered, DeliveryResult, Undelivered
from larder.engine.clock import SystemClock
from larder.stages.notify.channels import ChannelSpec, open_channels
from larder.stages.notify.mail import mail_server
from tests.integration.notify.services import served
from tests.integration.notify.smtp import MailServer, mail_served
from tests.unit.stages.notify.messages import alert, message

PASSWORD = "pass%2Fword-secret"


def spec(mail: MailServer) -> ChannelSpec:
    to = "ops@venue.test,ada@venue.test"
    url = f"smtp://larder:{PASSWORD}@127.0.0.1:{mail.port}?from=larder@venue.test&to={to}"
    return ChannelSpec(name="mail", url=url)


async def send(given: ChannelSpec, *alerts: object) -> DeliveryResult:
    async with aiohttp.ClientSession() as client:
        channel = open_channels([given], client, SystemClock())[given.name]
        return await channel.send(message(*(alerts or (alert(1),))))  # type: ignore[arg-type]


async def test_a_mail_arrives_as_plain_text_with_an_id_of_its_own() -> None:
    async with mail_served() as mail:
        hostile = alert(1, subject="a\r\nBcc: x@y.test", message="é <script>alert(1)</script>")
        assert await send(spec(mail), hostile) == Delivered()
        assert await send(spec(mail), hostile) == Delivered()
    first, second = (message_from_bytes(raw, policy=default) for raw in mail.taken)
    assert first["Message-ID"] == second["Message-ID"], "the same message has the same id"
    assert (first["From"], first["To"]) == ("larder@venue.test", "ops@venue.test, ada@venue.test")
    assert first["Bcc"] is None
    assert first.get_content_type() == "text/plain"
    assert "é <script>" in first.get_content()
    assert set(mail.recipients) == {"ops@venue.test", "ada@venue.test"}


@pytest.mark.parametrize(
    ("fault", "refused"),
    [("busy", False), ("cuts", False), ("auth", False), ("recipient", True), ("too large", True)],
)
async def test_every_failure_is_an_answer_without_our_secret(fault: str, refused: bool) -> None:
    async with mail_served() as mail:
        mail.fault = fault
        answer = await send(spec(mail))
    assert isinstance(answer, Undelivered)
    assert answer.refused is refused
    assert "pass" not in answer.error
    assert "pass" not in str(spec(mail))


async def test_nobody_listening_is_an_answer_too() -> None:
    assert isinstance(await send(ChannelSpec(name="m", url="smtp://127.0.0.1:1?to=a@b.test")), Undelivered)


async def test_a_password_is_not_sent_without_tls_to_another_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    async with mail_served() as mail:
        monkeypatch.setattr("larder.stages.notify.mail.LOCAL", frozenset[str]())
        answer = await send(spec(mail))
        assert isinstance(answer, Undelivered)
        assert "SMTPNotSupportedError" in answer.error
        assert mail.taken == []


@pytest.mark.parametrize("url", ["smtp://host.test", "smtp://?to=a@b.test", "smtp://host.test?to=nobody"])
def test_an_address_that_cannot_work_is_refused(url: str) -> None:
    with pytest.raises(BadInput, match="'ops'"):
        mail_server("ops", url)


async def test_a_signed_webhook_can_be_verified() -> None:
    async with served() as service:
        hook = ChannelSpec(name="hook", url=service.url("/hook"), secret="shared-secret")
        assert await send(hook) == Delivered()
        (headers,), (body,) = service.headers, service.bodies
    stamped = f"{headers['Larder-Timestamp']}.".encode() + body
    expected = hmac.new(b"shared-secret", stamped, sha256).hexdigest()
    assert headers["Larder-Signature"] == f"v1={expected}"
    assert "shared-secret" not in repr(hook)


async def test_without_a_secret_a_webhook_is_not_signed() -> None:
    async with served() as service:
        assert await send(ChannelSpec(name="hook", url=service.url("/hook"))) == Delivered()
        assert "Larder-Signature" not in service.headers[0]
