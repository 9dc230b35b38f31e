"""`/metrics`: the deployment as Prometheus reads it.

Everything is read from the database, so each process that serves answers for all workers. Gauges are the same
in each; counters begin at 0 with the process that answers, which Prometheus takes for a restart.
"""

from larder.app.metrics.families import FAMILIES, Family

__all__ = ["FAMILIES", "Family"]
