"""Wires settings into a running Larder; nothing else does.

`deployment` is what every command needs: database, clock, units of work. What costs more to load (fetching,
the driver, notifications, maintenance) is imported by the `App` method that opens it.
"""

from larder.app.deployment import App, open_app

__all__ = ["App", "open_app"]
