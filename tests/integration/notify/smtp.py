"""A local server that speaks SMTP as far as a mail program needs it, and can fail as real ones do."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass
class MailServer:
    """What it took; `fault` is the answer to DATA or RCPT instead of a good one."""

    fault: str = ""
    taken: list[bytes] = field(default_factory=list)
    recipients: list[str] = field(default_factory=list)
    port: int = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        def say(line: str) -> None:
            writer.write(f"{line}\r\n".encode())

        say("220 mail.test ESMTP")
        while line := (await reader.readline()).decode().strip():
            match line.split()[0].upper().partition(":")[0]:
                case "EHLO":
                    say("250-mail.test")
                    say("250 AUTH PLAIN")
                case "AUTH":
                    say("235 ok" if self.fault != "auth" else "535 no")
                case "RCPT":
                    self.recipients.append(line.partition(":")[2].strip("<>"))
                    say("550 no such user" if self.fault == "recipient" else "250 ok")
                case "DATA" if self.fault == "busy":
                    say("451 try again later")
                case "DATA" if self.fault == "too large":
                    say("552 too large")
                case "DATA" if self.fault == "cuts":
                    break
                case "DATA":
                    say("354 go on")
                    self.taken.append(await reader.readuntil(b"\r\n.\r\n"))
                    say("250 ok")
                case "QUIT":
                    say("221 bye")
                    break
                case _:
                    say("250 ok")
        writer.close()


@asynccontextmanager
async def mail_served() -> AsyncIterator[MailServer]:
    mail = MailServer()
    server = await asyncio.start_server(mail.serve, "127.0.0.1", 0)
    mail.port = server.sockets[0].getsockname()[1]
    try:
        yield mail
    finally:
        server.close()
