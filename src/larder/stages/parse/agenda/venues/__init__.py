"""Finds where an event takes place: elements named as a venue, and venues recognised by their names."""

from larder.stages.parse.agenda.venues.venue import is_place_name, venue_of, venue_of_section, venue_on

__all__ = ["is_place_name", "venue_of", "venue_of_section", "venue_on"]
