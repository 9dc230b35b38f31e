"""Times of day on an event's own page that are apart from its day: they complete its start and end."""
