"""No page makes reading raise: a fuzzer that learns from coverage, for ten minutes, and many mutants."""

import re
import subprocess
import sys
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from random import Random

from tests.proofs.mutants import mutants, write
from tests.proofs.proof import ROOT, Part, Stage, proof
from tests.proofs.reads_anything import read_anything

SECONDS = 600
MANY = 20_000
LONGEST = 20_000
PATIENCE = 120
CLAIM = "No page, price, date or address makes reading it raise."
_DONE = re.compile(r"Done (\d+) runs in (\d+) second")
_COVERED = re.compile(r"cov: (\d+) ft: (\d+) corp: (\d+)")


@proof("reading", CLAIM, seed=4, part="mutants")
def many_mutants(stage: Stage) -> Part:
    """Our own mutations, the same for the same seed."""
    return raised_by(mutants(MANY, Random(stage.seed)))


def raised_by(pages: Iterable[bytes]) -> Part:
    """What reading these pages came to."""
    broken: list[str] = []
    read = 0
    for page in pages:
        read += 1
        try:
            read_anything(page)
        except Exception as error:  # noqa: BLE001 - the very thing that must not happen
            broken.append(f"{type(error).__name__}: {error} on {page[:200]!r}"[:500])
    return Part(figures={"pages": read, "raised": len(broken)}, broken=broken[:10])


@proof("reading", CLAIM, seed=4, part="fuzzer")
def ten_minutes(stage: Stage) -> Part:
    """Atheris, guided by coverage."""
    return fuzz(stage.folder, seconds=SECONDS, seed=stage.seed)


def fuzz(folder: Path, *, seconds: int, seed: int) -> Part:
    """Run the fuzzer in a process of its own: it ends the one it runs in."""
    if find_spec("atheris") is None:
        return Part(figures={}, broken=["the fuzzer is not installed: pip install atheris"])
    corpus, crashes = write(folder / "corpus"), folder / "crashes"
    crashes.mkdir(exist_ok=True)
    flags = [f"-max_total_time={seconds}", f"-seed={seed}", f"-max_len={LONGEST}", "-rss_limit_mb=4096"]
    flags += [f"-artifact_prefix={crashes}/", str(corpus)]
    command = [sys.executable, "-m", "tests.proofs.reads_anything", *flags]
    given = {"capture_output": True, "text": True, "errors": "replace", "timeout": seconds + PATIENCE}
    ran = subprocess.run(command, cwd=ROOT, check=False, **given)  # type: ignore[call-overload]
    return _told(ran.stderr + ran.stdout, ran.returncode, crashes)


def _told(said: str, code: int, crashes: Path) -> Part:
    done, covered = _DONE.search(said), _COVERED.findall(said)
    figures = {
        "runs": int(done[1]) if done else 0,
        "seconds": int(done[2]) if done else 0,
        "covered": int(covered[-1][0]) if covered else 0,
        "corpus": int(covered[-1][2]) if covered else 0,
    }
    found = [f"{each.name}: {each.read_bytes()[:200]!r}" for each in sorted(crashes.iterdir())]
    ended = [] if done and code == 0 else [f"ended with {code}: {said[-600:]}"]
    return Part(figures=figures, broken=[*found, *ended])
