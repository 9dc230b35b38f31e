"""The only place that wires settings into a running Larder, a room for each thing that it can do.

`deployment` is what everybody needs: the database, the clock, one unit of work. What costs more to load
(fetching, driving, posting, keeping) is loaded by the first one who asks an `App` for it.
"""

from larder.app.deployment import App, open_app

__all__ = ["App", "open_app"]
