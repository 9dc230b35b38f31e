"""How each service is found, started, asked whether it is well, and ended."""

import os
import secrets
import shutil
import signal
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from processes import Process, account, alive, answers, free_port, handed_over, private_folder, spawn


class StartError(Exception):
    """One line for a person, with the next step in it."""


@dataclass(frozen=True)
class Running:
    """What is known of a service that was started."""

    url: str
    folder: str = ""
    port: int = 0
    processes: list[Process] = field(default_factory=list)


class Service:
    """How one service is found, started, asked and ended."""

    name: str
    package: str
    ending = signal.SIGTERM

    def binary(self) -> Path | None:
        raise NotImplementedError

    def launch(self, binary: Path, home: Path) -> Running:
        raise NotImplementedError

    def answers(self, running: Running) -> bool:
        raise NotImplementedError

    def healthy(self, running: Running) -> bool:
        return all(map(alive, running.processes)) and self.answers(running)


class Postgres(Service):
    """Durability is switched off: the folder is thrown away at the end anyway."""

    name, package = "postgres", "postgresql"
    ending = signal.SIGINT  # "fast": does not wait for clients to leave
    settings = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=200")

    def binary(self) -> Path | None:
        debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda p: float(p.parts[-3]))
        return debian[-1] if debian else found("postgres")

    def launch(self, binary: Path, home: Path) -> Running:
        owner = "postgres" if os.geteuid() == 0 else None  # the server refuses to run as root
        folder, port, password = private_folder(home, owner), free_port(), secrets.token_hex(8)
        self.create_cluster(binary, folder, password, owner)
        command: list[str | Path] = [binary, "-D", folder / "cluster", "-h", "127.0.0.1", "-p", str(port)]
        command += ["-k", folder, *(f"--{setting}" for setting in self.settings)]
        leader = spawn(command, folder, user=owner)
        url = f"postgresql://larder:{password}@127.0.0.1:{port}/postgres"
        return Running(url, str(folder), port, [leader])

    @staticmethod
    def create_cluster(binary: Path, folder: Path, password: str, owner: str | None) -> None:
        secret = folder / "password"
        secret.write_text(password)
        handed_over(secret, owner)
        options = ["--username=larder", "--auth=scram-sha-256", f"--pwfile={secret}", "--no-sync"]
        options += ["--encoding=UTF8", "--locale=C.UTF-8"]
        command = [str(binary.with_name("initdb")), f"--pgdata={folder / 'cluster'}", *options]
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, check=False, **account(owner)
        )
        if done.returncode:
            raise StartError(f"initdb failed: {last_line(done.stderr)}")

    def answers(self, running: Running) -> bool:
        return answers(running.port, b"\0\0\0\x08\x04\xd2\x16\x2f", b"S", b"N")  # "may we speak TLS?"


class Redis(Service):
    """In memory only."""

    name, package = "redis", "redis-server"

    def binary(self) -> Path | None:
        return found("redis-server")

    def launch(self, binary: Path, home: Path) -> Running:
        folder, port, password = private_folder(home), free_port(), secrets.token_hex(8)
        settings = folder / "redis.conf"
        settings.write_text(f'bind 127.0.0.1\nport {port}\nrequirepass {password}\nsave ""\n')
        leader = spawn([binary, settings], folder)
        return Running(f"redis://default:{password}@127.0.0.1:{port}/0", str(folder), port, [leader])

    def answers(self, running: Running) -> bool:
        return answers(running.port, b"PING\r\n", b"-NOAUTH", b"+PONG")


class RabbitMQ(Service):
    """A node of its own: name, cookie, port mapper and plug-ins are private, so that no other node is met."""

    name, package = "rabbitmq", "rabbitmq-server"

    def binary(self) -> Path | None:
        packaged = Path(
            "/usr/lib/rabbitmq/bin/rabbitmq-server"
        )  # the one on the PATH insists on its own user
        return packaged if packaged.exists() else found("rabbitmq-server")

    def launch(self, binary: Path, home: Path) -> Running:
        folder, port, mapper = private_folder(home), free_port(), free_port()
        (folder / "enabled_plugins").write_text("[].")
        (folder / "rabbitmq.conf").write_text(f"listeners.tcp.1 = 127.0.0.1:{port}\n")
        epmd = spawn([found("epmd") or "epmd", "-port", str(mapper), "-address", "127.0.0.1"], folder)
        node = spawn([binary], folder, **self.surroundings(folder, port, mapper))
        return Running(f"amqp://guest:guest@127.0.0.1:{port}//", str(folder), port, [node, epmd])

    @staticmethod
    def surroundings(folder: Path, port: int, mapper: int) -> dict[str, str]:
        return {
            "HOME": str(folder),
            "ERL_EPMD_PORT": str(mapper),
            "RABBITMQ_NODENAME": f"larder-{port}@localhost",
            "RABBITMQ_DIST_PORT": str(free_port()),
            "RABBITMQ_CONFIG_FILE": str(folder / "rabbitmq.conf"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "enabled_plugins"),
            "RABBITMQ_MNESIA_BASE": str(folder / "mnesia"),
            "RABBITMQ_LOG_BASE": str(folder / "log"),
            "RABBITMQ_LOGS": "-",
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "-kernel inet_dist_use_interface {127,0,0,1}",
        }

    def answers(self, running: Running) -> bool:
        return answers(
            running.port, b"AMQP\0\0\x09\x01", b"\x01\0\0"
        )  # a frame of channel 0: Connection.Start


class Chromium(Service):
    """No server: only found, and installed where it is missing."""

    name, package = "chromium", "chromium"

    def binary(self) -> Path | None:
        return found("chromium") or found("chromium-browser") or found("google-chrome")

    def launch(self, binary: Path, home: Path) -> Running:  # noqa: ARG002 - a program needs no home
        return Running(str(binary))

    def answers(self, running: Running) -> bool:
        return Path(running.url).exists()


SERVICES: dict[str, Service] = {s.name: s for s in (Postgres(), Redis(), RabbitMQ(), Chromium())}


def found(command: str) -> Path | None:
    path = shutil.which(command)
    return Path(path) if path else None


def last_line(text: str) -> str:
    return (text.strip().splitlines() or ["(no output)"])[-1]
