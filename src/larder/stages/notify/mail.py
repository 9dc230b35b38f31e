"""Mail over SMTP: `smtp://user:password@host:587?from=…&to=…`, or `smtps://` for TLS from the first byte.

With `smtp:` the connection is upgraded (STARTTLS) wherever the server offers it, and a password is never sent
without TLS, but for a server on this machine. A message's id is made of its key, so that a mail program shows
one that was sent twice once.
"""

import asyncio
import smtplib
import ssl
from dataclasses import dataclass, field
from datetime import timedelta
from email.message import EmailMessage
from email.policy import SMTP as SMTP_POLICY
from urllib.parse import parse_qs, unquote, urlsplit

from larder.core.errors import BadInput
from larder.core.policy.delivery import Delivered, DeliveryResult, Undelivered
from larder.core.quoting import quoted
from larder.stages.notify import render
from larder.store.operations.notifications.outbox import Message

MAIL_TIMEOUT = timedelta(seconds=30)
LOCAL = frozenset({"127.0.0.1", "::1", "localhost"})
MAX_SUBJECT = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class MailServer:
    """The mail server, with its user, sender and recipients."""

    host: str
    port: int
    tls: bool
    sender: str
    recipients: tuple[str, ...]
    user: str = ""
    password: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class MailChannel:
    """Mail over SMTP, sent in a thread."""

    server: MailServer

    async def send(self, message: Message) -> DeliveryResult:
        """Send the message; an error names the server's code, not its text, which may contain addresses."""
        try:
            await asyncio.to_thread(_deliver, self.server, mail_of(self.server, message))
        except smtplib.SMTPRecipientsRefused as error:
            codes = {code for code, _ in error.recipients.values()}
            return Undelivered(error=f"the mail server refused the recipients ({min(codes)})", refused=True)
        except smtplib.SMTPResponseException as error:
            refused = 500 <= error.smtp_code < 600 and not isinstance(error, smtplib.SMTPAuthenticationError)
            return Undelivered(error=f"the mail server answered {error.smtp_code}", refused=refused)
        except TimeoutError:
            return Undelivered(error="the mail server did not answer in time")
        except (smtplib.SMTPException, OSError, ssl.SSLError) as error:
            return Undelivered(error=f"the mail could not be sent ({type(error).__name__})")
        return Delivered()


def mail_of(server: MailServer, message: Message) -> EmailMessage:
    """The message as mail in plain text."""
    mail = EmailMessage(policy=SMTP_POLICY)
    mail["Subject"] = " ".join(render.headline(message).split())[:MAX_SUBJECT]
    mail["From"] = server.sender
    mail["To"] = ", ".join(server.recipients)
    mail["Message-ID"] = f"<{message.key}@larder>"
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content(render.text(message), cte="quoted-printable")
    return mail


def mail_server(name: str, url: str) -> MailServer:
    """The server in a channel's address."""
    parts = urlsplit(url)
    params = parse_qs(parts.query)
    recipients = tuple(part.strip() for to in params.get("to", []) for part in to.split(",") if part.strip())
    if not parts.hostname or not recipients or not all("@" in recipient for recipient in recipients):
        raise BadInput(
            f"the channel {quoted(name)} has no mail server or no recipient",
            hint="smtp://user:password@host:587?from=larder@example.com&to=ops@example.com",
        )
    tls = parts.scheme == "smtps"
    sender = (params.get("from") or [recipients[0]])[0]
    if any(mark in each for each in (sender, *recipients) for mark in "\r\n<>"):
        raise BadInput(
            f"the channel {quoted(name)} has an address with a line break or brackets",
            hint="see LARDER_CHANNELS",
        )
    return MailServer(
        host=parts.hostname,
        port=parts.port or (465 if tls else 587),
        tls=tls,
        sender=sender,
        recipients=recipients,
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
    )


def _deliver(server: MailServer, mail: EmailMessage) -> None:
    timeout, context = MAIL_TIMEOUT.total_seconds(), ssl.create_default_context()
    if server.tls:
        opened: smtplib.SMTP = smtplib.SMTP_SSL(server.host, server.port, timeout=timeout, context=context)
    else:
        opened = smtplib.SMTP(server.host, server.port, timeout=timeout)
    with opened as smtp:
        smtp.ehlo()
        if not server.tls and smtp.has_extn("starttls"):
            smtp.starttls(context=context)
            smtp.ehlo()
        elif server.user and not server.tls and server.host not in LOCAL:
            raise smtplib.SMTPNotSupportedError("the server offers no TLS")
        if server.user:
            smtp.login(server.user, server.password)
        smtp.send_message(mail, server.sender, list(server.recipients))
