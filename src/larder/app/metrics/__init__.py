"""`/metrics`: the deployment's metrics for Prometheus.

Everything is read from the database, so each serving process reports for all workers. Gauges are the same in
each; counters begin at 0 in each process, which Prometheus treats as a restart.
"""

from larder.app.metrics.families import FAMILIES, Family

__all__ = ["FAMILIES", "Family"]
