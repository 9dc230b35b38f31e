"""`larder doctor`"""

from collections.abc import Sequence

import typer
from rich.text import Text

from larder.app import open_app
from larder.app.doctor import examine
from larder.app.findings import CheckStatus, Finding
from larder.cli.common.output import JsonOption, print_result, print_text
from larder.cli.common.session import require_database, run_async
from larder.rendering.hints import sentence
from larder.settings import load

_STYLES = {
    CheckStatus.OK: "green",
    CheckStatus.OFF: "dim",
    CheckStatus.WARNING: "yellow",
    CheckStatus.FAILED: "bold red",
}


def doctor(as_json: JsonOption = False) -> None:
    """Check database, clock, page bodies, parse workers, broker, browser and outside services.

    Each line says what is wrong and what to do. The exit code is 1 if a check failed.
    """
    findings = run_async(_examine())
    print_result(list(findings), as_json=as_json, draw=_draw)
    if any(finding.health is CheckStatus.FAILED for finding in findings):
        raise typer.Exit(1)


async def _examine() -> Sequence[Finding]:
    settings = load()
    require_database(settings)
    async with open_app(settings, unchecked=True) as app:
        return await examine(app)


def _draw(findings: Sequence[Finding]) -> None:
    for finding in findings:
        print_text(
            Text.assemble(
                (f"{finding.health:<8}", _STYLES[finding.health]), f" {finding.check}: {finding.message}"
            )
        )
        if finding.hint:
            print_text(Text.assemble("         → ", (sentence(finding.hint), "bold")))
