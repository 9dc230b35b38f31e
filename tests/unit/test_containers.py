"""The container and compose files name commands, settings and locks that exist, and run as nobody special."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from larder.cli import COMMANDS
from larder.settings import Settings

ROOT = Path(__file__).resolve().parents[2]
CONTAINER = (ROOT / "Containerfile").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
OURS = [name for name, service in COMPOSE["services"].items() if service["image"] == "larder"]


def test_every_part_of_a_deployment_is_there() -> None:
    assert set(OURS) == {"migrate", "app", "worker", "beat"}
    assert {"postgres", "rabbitmq", "redis", "s3"} <= COMPOSE["services"].keys()


@pytest.mark.parametrize("name", OURS)
def test_a_service_runs_a_command_of_larder_with_its_options(name: str) -> None:
    larder, command, *options = COMPOSE["services"][name]["command"]
    assert larder == "larder"
    assert command in COMMANDS
    asked = [sys.executable, "-m", "larder", command, *options, "--help"]
    assert subprocess.run(asked, capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("name", COMPOSE["services"])
def test_whoever_runs_on_says_whether_it_is_well(name: str) -> None:
    """Workers and beat by the image's own check; what others wait for is waited for until it is well."""
    service = COMPOSE["services"][name]
    ends = name in ("migrate", "bucket")
    assert ends or "healthcheck" in service or service["image"] == "larder"
    waits = service.get("depends_on", {})
    assert {each["condition"] for each in waits.values()} <= {
        "service_healthy",
        "service_completed_successfully",
    }


def test_the_broker_is_the_one_that_is_asked_for() -> None:
    assert COMPOSE["x-larder"]["environment"]["LARDER_BROKER"].startswith("${LARDER_BROKER:-amqp://")


def test_every_setting_exists() -> None:
    given = set(COMPOSE["x-larder"]["environment"]) | set(re.findall(r"LARDER_[A-Z_]+", CONTAINER))
    known = {f"LARDER_{name.upper()}" for name in Settings.fields()}
    assert given - known == set()


def test_every_service_waits_for_those_that_exist() -> None:
    for name, service in COMPOSE["services"].items():
        waits = service.get("depends_on", ())
        assert set(waits) <= COMPOSE["services"].keys(), name


def test_volumes_are_declared() -> None:
    used = {
        volume.split(":")[0]
        for service in COMPOSE["services"].values()
        for volume in service.get("volumes", ())
    }
    assert used == set(COMPOSE["volumes"])


def test_passwords_come_from_outside() -> None:
    text = (ROOT / "compose.yaml").read_text()
    for line in text.splitlines():
        name, _, value = line.strip().partition(": ")
        if "PASS" in name or "SECRET" in name:
            assert "${" in value, line


def test_the_image_copies_files_that_exist_and_runs_as_a_user() -> None:
    for sources in re.findall(r"^COPY (?!--from)(.+) \S+$", CONTAINER, re.MULTILINE):
        assert [name for name in sources.split() if not (ROOT / name).exists()] == []
    assert re.findall(r"^USER (\w+)$", CONTAINER, re.MULTILINE) == ["larder"]
    assert re.search(r"^HEALTHCHECK ", CONTAINER, re.MULTILINE)
