"""Real servers that speak S3, each in a process of its own on a free port of this machine.

They disagree with each other where real ones do: rclone checks signatures and gives no ranges, moto takes
any key and gives them.
"""

import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.services import free_port

BIN = Path(sys.executable).parent
KEY, SECRET = "larder-key", "larder-secret-key"
PATIENCE_S = 200.0


@dataclass(frozen=True, slots=True)
class Server:
    """Where one listens; the bucket is there already."""

    endpoint: str
    bucket: str = "pages"


@contextmanager
def rclone(folder: Path) -> Iterator[Server]:
    (folder / "pages").mkdir(parents=True)
    port = free_port()
    command = [str(BIN / "rclone"), "serve", "s3", "--addr", f"127.0.0.1:{port}", "--config", "/dev/null"]
    command += [
        "--auth-key",
        f"{KEY},{SECRET}",
        "--vfs-cache-mode",
        "writes",
        "--cache-dir",
        str(folder / "c"),
    ]
    with _running([*command, str(folder)], port) as server:
        yield server


@contextmanager
def moto() -> Iterator[Server]:
    port = free_port()
    with _running([str(BIN / "moto_server"), "-H", "127.0.0.1", "-p", str(port)], port) as server:
        made = urllib.request.Request(f"{server.endpoint}/pages", method="PUT")
        made.add_header(
            "Authorization", "AWS4-HMAC-SHA256 Credential=larder/20260101/us-east-1/s3/aws4_request"
        )
        urllib.request.urlopen(made).close()
        yield server


@contextmanager
def _running(command: list[str], port: int) -> Iterator[Server]:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait_for(port, process)
        yield Server(endpoint=f"http://127.0.0.1:{port}")
    finally:
        process.terminate()
        process.wait()


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    ends = time.monotonic() + PATIENCE_S
    while time.monotonic() < ends and process.poll() is None:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=1).close()
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.02)
        else:
            return
    raise RuntimeError(f"the server on port {port} did not come up")
