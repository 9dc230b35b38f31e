"""Renders notifications for people and sends them to the configured channels.

The outbox (store) decides what is sent and when; this package decides the wording and the transport.
"""
