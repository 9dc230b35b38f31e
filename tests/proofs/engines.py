"""The acceptance tests on every engine: what a user sees is the same, whoever does the work.

Each part runs those that depend on the engine as pytest runs them, in a process of its own.
"""

import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

from tests.proofs.proof import ROOT, Part, Run, Stage, proof

CLAIM = (
    "the acceptance tests pass on SQLite and on PostgreSQL in one process, and with Celery workers "
    "on RabbitMQ and on Redis over PostgreSQL"
)
ENGINES = ("sqlite", "postgresql", "rabbitmq", "redis")
LIMIT = 3_600
"""Seconds for one engine."""
SUITE = ("tests/acceptance",)


def accept(engine: str, folder: Path, suite: tuple[str, ...] = SUITE) -> Part:
    """Run the suite on one engine; what failed is named."""
    report = folder / "report.xml"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--junitxml={report}", *suite]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "LARDER_TEST_ENGINE": engine},
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    if not report.exists():
        return Part(figures={}, broken=[f"pytest wrote no report: {done.stderr.strip()[-500:]}"])
    return _part(report, done.returncode)


def _part(report: Path, code: int) -> Part:
    cases = list(ElementTree.parse(report).iter("testcase"))
    failed = [case.get("name", "") for case in cases if {"failure", "error"} & {each.tag for each in case}]
    skipped = [case.get("name", "") for case in cases if case.find("skipped") is not None]
    broken = [f"failed: {name}" for name in failed] + [f"skipped: {name}" for name in skipped]
    if not cases:
        broken.append("no test was run")
    if code and not failed:
        broken.append(f"pytest ended with code {code}")
    return Part(
        figures={"tests": len(cases), "passed": len(cases) - len(failed) - len(skipped)}, broken=broken
    )


def _on(engine: str) -> Run:
    def run(stage: Stage) -> Part:
        return accept(engine, stage.folder)

    return run


for _engine in ENGINES:
    proof("engines", CLAIM, seed=1, part=_engine)(_on(_engine))
