"""Alerts, watches and the outbox that delivers notifications are written and read here."""
