"""What is due becomes runs: schedules and gates come in, opened runs with their first jobs go out.

It also adopts new source rows, ends stale runs, retries dead letters and holds back when queues are full.
"""
