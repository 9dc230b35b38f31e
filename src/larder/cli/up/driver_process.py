"""One driver process of `larder up`: `python -m larder.cli.up.driver_process`, ended with SIGTERM.

It has its own entry point so that a signal ends it silently from its first instruction on: the process that
started it informs the operator.
"""

import argparse
import os
from contextlib import suppress

from larder.cli import exit_code_of
from larder.cli.common.garbage import collect_seldom, end, loading
from larder.cli.common.interrupts import Interrupted, handle_signals


def main() -> None:
    """Drive until a signal, or until the parent process ends."""
    parser = argparse.ArgumentParser()
    parser.add_argument(
        "--drivers", type=int, required=True, help="number of drivers that share the database"
    )
    parser.add_argument("--lock", type=int, help="descriptor of the data folder's lock")
    parser.add_argument("--json", action="store_true", help="log JSON lines")
    parser.add_argument(
        "--parent", type=int, default=os.getppid(), help="process that this one ends with"
    )  # passed by the parent, which may have ended before this line
    options = parser.parse_args()
    with suppress(Interrupted):
        signals = handle_signals()
        collect_seldom()
        with loading():  # a signal ends it meanwhile, too
            from larder.cli.up.drive_beside import drive_beside  # noqa: PLC0415
        code = exit_code_of(
            lambda: drive_beside(
                options.drivers, lock=options.lock, parent=options.parent, as_json=options.json
            )
        )
        signals.ended = True
        end(code)


if __name__ == "__main__":
    main()
