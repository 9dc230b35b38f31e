"""`larder summary`"""

from dataclasses import asdict
from typing import Annotated

import typer
from rich.text import Text

from larder.actions.operations import summary as summaries
from larder.app import App
from larder.cli.common.output import JsonOption, print_result, print_text
from larder.cli.common.session import operator, with_app
from larder.stages.notify.summary import Summary, summary_text


def summary(
    send: Annotated[bool, typer.Option("--send", help="Send it to the channels now.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show the summary of all runs since the last one.

    It is sent once a day; `--send` sends it now, and the next summary starts there.
    """
    result = with_app(_send if send else _preview)
    print_result(result, as_json=as_json, draw=_draw)


async def _preview(app: App) -> Summary:
    return await app.run(summaries.preview, app.summary_schedule, now=app.clock.now())


async def _send(app: App) -> Summary:
    result = await app.run(summaries.send, app.summary_schedule, who=operator(), now=app.clock.now())
    async with app.notifier() as notifier:
        await notifier.round(flush=True)
    return result


def _draw(result: Summary) -> None:
    heading, lines = summary_text(asdict(result))
    print_text(Text(heading, style="bold"), *(Text(line) for line in lines))
