"""`larder sim …`"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from larder.cli.common.output import JsonOption, print_fields, print_result, print_table, print_text
from larder.cli.sim.frontier import frontier_svg
from larder.core.errors import BadInput
from larder.core.quoting import quoted
from larder.sim.benchmark.market_site import LISTINGS, TURNOVER_DAYS, MarketRules
from larder.sim.benchmark.policies import POLICIES, PolicySetup, policy
from larder.sim.benchmark.run import score_policy
from larder.sim.benchmark.scoring import PolicyScore
from larder.sim.benchmark.worlds import WORLDS, Classifieds, World, world_named

app = typer.Typer(
    pretty_exceptions_enable=False,
    help="Score policies on a simulated site in virtual time.",
)

DaysOption = Annotated[float, typer.Option(min=0.1, max=366, help="Days to score, after three of warm-up.")]
ListingsOption = Annotated[int, typer.Option(min=90, max=1_000_000, help="Live listings on the site.")]
ArrivalsOption = Annotated[
    float | None, typer.Option(min=0.1, max=1_000_000, help="New listings a day. Default: listings / 22.5.")
]
WorldName = Annotated[
    str,
    typer.Option("--world", help=f"One of: {', '.join(WORLDS)}. Only classifieds have sizes."),
]


@app.callback(invoke_without_command=True)
def sim(
    ctx: typer.Context,
    *,
    name: Annotated[
        str | None, typer.Option("--policy", help=f"One of: {', '.join(POLICIES)}. Default: the fixed plan.")
    ] = None,
    world: WorldName = "classifieds",
    days: DaysOption = 28,
    seed: Annotated[int, typer.Option(help="The seed of the simulated site.")] = 1,
    listings: ListingsOption = LISTINGS,
    arrivals: ArrivalsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Score a policy: how correct it keeps the dataset of a simulated site, and at how many requests.

    The engine, the runs and the database are those of production; only time and the site are simulated.
    """
    if ctx.invoked_subcommand is None:
        site, suited = _world(world, listings, arrivals)
        (score,) = _scores([(_suited(name or suited[0], suited), seed)], site, days, quiet=as_json)
        print_result(score, as_json=as_json, draw=_draw)


@app.command()
def compare(
    *,
    policies: Annotated[
        str | None, typer.Option(help="Names, separated by commas. Default: all that suit the world.")
    ] = None,
    world: WorldName = "classifieds",
    seeds: Annotated[str, typer.Option(help="Whole numbers, separated by commas.")] = "1,2,3",
    days: DaysOption = 28,
    listings: ListingsOption = LISTINGS,
    arrivals: ArrivalsOption = None,
    picture: Annotated[
        Path, typer.Option("--picture", help="The file for the picture of error against requests.")
    ] = Path("frontier.svg"),
    as_json: JsonOption = False,
) -> None:
    """Score several policies on several seeds; draw their errors against their requests."""
    site, suited = _world(world, listings, arrivals)
    names = [name.strip() for name in policies.split(",")] if policies else suited
    setups = [(_suited(name, suited), seed) for name in names for seed in _numbers(seeds)]
    scores = _scores(setups, site, days, quiet=as_json)
    if not as_json:
        picture.write_text(frontier_svg(scores), encoding="utf-8")
    print_result(scores, as_json=as_json, draw=lambda all_: _draw_all(all_, picture))


def _world(name: str, listings: int, arrivals: float | None) -> tuple[World, Sequence[str]]:
    site, suited = world_named(name)
    if isinstance(site, Classifieds):
        rules = MarketRules(listings=listings, arrivals_per_day=arrivals or listings / TURNOVER_DAYS)
        site = Classifieds(rules=rules)
    return site, suited


def _suited(name: str, suited: Sequence[str]) -> PolicySetup:
    setup = policy(name)
    if name.partition(":")[0] not in suited:
        raise BadInput(
            f"policy {quoted(name)} is not for this world", hint=f"choose one of: {', '.join(suited)}"
        )
    return setup


def _numbers(seeds: str) -> list[int]:
    try:
        return [int(part) for part in seeds.split(",")]
    except ValueError:
        raise BadInput(f"seeds: {quoted(seeds)} are not whole numbers", hint="write --seeds 1,2,3") from None


def _scores(
    setups: Sequence[tuple[PolicySetup, int]], world: World, days: float, *, quiet: bool
) -> list[PolicyScore]:
    scores = []
    with _bar(quiet=quiet) as bar:
        for setup, seed in setups:
            task = bar.add_task(f"{setup.name}, seed {seed}", total=1.0)
            report = partial(_tell, bar, task)
            scores.append(score_policy(setup, days=days, seed=seed, world=world, progress=report))
    return scores


def _tell(bar: Progress, task: TaskID, done: float) -> None:
    bar.update(task, completed=done)


def _bar(*, quiet: bool) -> Progress:
    """A progress bar on standard error: standard output is for the result."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True, quiet=quiet),
        transient=True,
        disable=quiet,
    )


def _draw(score: PolicyScore) -> None:
    print_fields(
        [
            ("policy", f"{score.policy}, seed {score.seed}, {score.days:g} days"),
            ("requests a day", f"{score.requests_per_day:,.0f} (busiest hour {score.requests_peak_hour})"),
            ("news", f"{_unit(score.news_p50_min, 'min')} half, {_unit(score.news_p95_min, 'min')} 95 %"),
            ("recall", _percent(score.recall)),
            ("shown but gone", _percent(score.shown_gone)),
            ("removal", f"{_unit(score.removal_p50_h, 'h')} half, {_unit(score.removal_p95_h, 'h')} 95 %"),
            ("wrongly gone", _percent(score.false_gone)),
            ("prices captured", _percent(score.prices_captured)),
            ("price wrong for", _unit(score.price_stale_h, "h")),
            ("details fresh", _percent(score.detail_fresh)),
            ("error", _percent(score.error)),
            ("flicker", _percent(score.flicker)),
        ]
    )


def _draw_all(scores: Sequence[PolicyScore], picture: Path) -> None:
    print_table(
        (
            "policy",
            "seed",
            "requests a day",
            "news",
            "recall",
            "shown but gone",
            "removal",
            "prices",
            "error",
        ),
        (
            (
                score.policy,
                score.seed,
                f"{score.requests_per_day:,.0f}",
                _unit(score.news_p50_min, "min"),
                _percent(score.recall),
                _percent(score.shown_gone),
                _unit(score.removal_p50_h, "h"),
                _percent(score.prices_captured),
                _percent(score.error),
            )
            for score in scores
        ),
        empty="No policy was scored.",
    )
    print_text(f"Error against requests: {picture}")


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{share:.2%}"


def _unit(value: float | None, unit: str) -> str:
    return "–" if value is None else f"{value:.1f} {unit}"
