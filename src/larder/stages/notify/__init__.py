"""Notify: what happened, said so that a person understands it, on the channels they chose.

The outbox (store) decides what is said and when; this room says how it reads and carries it out.
"""
