"""Where an event takes place: what a page calls a venue, and houses told by their names."""

from larder.stages.parse.agenda.venues.venue import is_place_name, venue_of, venue_of_section, venue_on

__all__ = ["is_place_name", "venue_of", "venue_of_section", "venue_on"]
