"""Rules about when: cadence, priority, gates, backpressure, stale work, targets."""
