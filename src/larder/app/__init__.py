"""Turns settings into a running Larder; nothing else does.

`deployment` is what every command needs: database, clock, units of work. Parts that are slow to load
(fetching, the driver, notifications, maintenance) are imported by the `App` method that opens them.
"""

from larder.app.deployment import App, open_app

__all__ = ["App", "open_app"]
