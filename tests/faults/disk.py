"""Real file systems with hardly any room."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.services import missing

BALLAST = "ballast"


@contextmanager
def small_disk(folder: Path, size: str) -> Iterator[Path]:
    """A file system of that size, mounted there; takes root, and in CI there is no excuse."""
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=777", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        missing("a small file system", "mounting one takes root")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(disk: Path) -> None:
    """Take what is left, to the last byte."""
    with (disk / BALLAST).open("wb", buffering=0) as ballast:
        for size in (65_536, 4096, 1):
            try:
                while True:
                    ballast.write(b"x" * size)
            except OSError:
                continue


def free(disk: Path) -> None:
    (disk / BALLAST).unlink()
