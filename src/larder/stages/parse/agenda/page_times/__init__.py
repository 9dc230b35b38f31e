"""Times of day that an event's own page names apart from its day: they complete the event's start and end."""
