"""Schedules and gates come in; opened runs with their first jobs go out.

It also adopts new source rows, ends stale runs, retries dead letters and backs off when queues are full.
"""
