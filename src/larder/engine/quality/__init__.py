"""Readings of pages come in; judgements on adapters go out: drift, canary, replay and probes."""
