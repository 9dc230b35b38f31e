"""The Celery host: messages come in, slices of the driver's work go out.

The database holds all state. A message only says that there may be work: one that is lost, repeated or late
changes nothing but the time at which a worker looks.
"""
