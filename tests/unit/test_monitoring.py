"""The alert rules and the dashboard ask for metrics that exist, and Prometheus' own tool accepts them."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from larder.app.metrics import FAMILIES
from tests.services import ROOT, program

DEPLOY = ROOT / "deploy"
RULES: list[dict[str, Any]] = [
    rule
    for group in yaml.safe_load((DEPLOY / "prometheus" / "alerts.yml").read_text())["groups"]
    for rule in group["rules"]
]
DASHBOARD: dict[str, Any] = json.loads((DEPLOY / "grafana" / "larder.json").read_text())
QUERIES = [
    *(pytest.param(rule["expr"], id=rule["alert"]) for rule in RULES),
    *(
        pytest.param(target["expr"], id=f"{panel['title']} {target['refId']}")
        for panel in DASHBOARD["panels"]
        for target in panel["targets"]
    ),
]
NAME = re.compile(r"\blarder_\w+")
LABELS = re.compile(r"(?:by|without) \(([^)]*)\)")
LEGEND = re.compile(r"\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}")


def family(name: str) -> str:
    """The family of a series: those of a histogram have endings."""
    return name if name in FAMILIES else re.sub(r"_(bucket|sum|count)$", "", name)


@pytest.mark.parametrize("query", QUERIES)
def test_a_query_asks_for_what_exists(query: str) -> None:
    names = {family(name) for name in NAME.findall(query)}
    assert names or query.startswith("up{")
    assert names <= FAMILIES.keys()
    known = {"le", *(label for name in names for label in FAMILIES[name].labels)}
    asked = {label.strip() for group in LABELS.findall(query) for label in group.split(",")}
    assert asked <= known


@pytest.mark.parametrize("panel", DASHBOARD["panels"], ids=lambda panel: panel["title"])
def test_a_legend_names_labels_that_exist(panel: dict[str, Any]) -> None:
    for target in panel["targets"]:
        labels = {label for name in NAME.findall(target["expr"]) for label in FAMILIES[family(name)].labels}
        assert set(LEGEND.findall(target["legendFormat"])) <= labels


def test_every_metric_is_drawn_or_watched() -> None:
    asked = {family(name) for query in QUERIES for name in NAME.findall(str(query.values[0]))}
    assert set(FAMILIES) - asked == {"larder_scrape_seconds"}


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule["alert"])
def test_every_alert_names_its_runbook(rule: dict[str, Any]) -> None:
    assert (ROOT / "docs" / "runbooks" / rule["annotations"]["runbook"]).is_file()
    assert rule["labels"]["severity"] in ("P1", "P2", "P3")


@pytest.fixture(scope="module")
def promtool() -> str:
    return program("promtool")


def _accepts(promtool: str, *args: str, within: Path) -> None:
    done = subprocess.run([promtool, *args], cwd=within, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_promtool_accepts_the_rules_and_they_fire_when_they_should(promtool: str) -> None:
    folder = DEPLOY / "prometheus"
    _accepts(promtool, "check", "rules", "alerts.yml", within=folder)
    _accepts(promtool, "check", "config", "--syntax-only", "prometheus.yml", within=folder)
    _accepts(promtool, "test", "rules", "alerts_test.yml", within=folder)


def test_promtool_accepts_the_dashboards_queries(promtool: str, tmp_path: Path) -> None:
    """As recording rules: the tool checks those."""
    rules = [{"record": f"q{n}", "expr": str(each.values[0])} for n, each in enumerate(QUERIES)]
    (tmp_path / "queries.yml").write_text(yaml.safe_dump({"groups": [{"name": "q", "rules": rules}]}))
    _accepts(promtool, "check", "rules", "queries.yml", within=tmp_path)
