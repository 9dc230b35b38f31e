"""Parts of a deployment that are slow to load and that many commands never use."""

import random
from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from larder.settings import Settings

if TYPE_CHECKING:
    from larder.engine.parse_workers.in_process import InProcess
    from larder.engine.parse_workers.pool import ParsePool
    from larder.engine.scheduling.dispatch_settings import DispatchSettings


class OnDemand:
    """Adapters, run kinds and parse workers, each loaded on first use."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    @cached_property
    def dispatcher(self) -> "DispatchSettings":
        """How this deployment schedules runs."""
        from larder import adapters  # noqa: PLC0415 - loaded when it is asked for
        from larder.core.policy.run_limits import LIMITS  # noqa: PLC0415
        from larder.core.policy.scheduling.backpressure import QueueLimits  # noqa: PLC0415
        from larder.engine.scheduling.dispatch_settings import DispatchSettings  # noqa: PLC0415
        from larder.runs import FOLDS  # noqa: PLC0415

        settings = self._settings
        return DispatchSettings(
            adapters={adapter.id: adapter for adapter in adapters.known()},
            chance=random.SystemRandom(),
            kinds=frozenset(FOLDS),
            strict=settings.strict,
            stagger=timedelta(seconds=settings.stagger_seconds),
            run_limits={name: getattr(settings, name) for name, rule in LIMITS.items() if rule.deployment},
            limits=QueueLimits(per_site=settings.pending_per_site, in_all=settings.pending_in_all),
        )

    @cached_property
    def parse_runner(self) -> "ParsePool | InProcess":
        """The pool or process that parses pages."""
        from larder.app.parse_runner import parse_runner  # noqa: PLC0415 - loaded when it is asked for

        return parse_runner(self._settings)

    async def close(self) -> None:
        """Close what was opened."""
        if "parse_runner" in self.__dict__:
            await self.parse_runner.close()
