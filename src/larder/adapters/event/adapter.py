"""Any site's events: no reading code, the cascade reads for it."""

from larder.sdk import Kind, SiteAdapter


class GenericEvent(SiteAdapter):
    """The generic adapter for events."""

    id, version, kind = "event", "1.0.0", Kind.EVENT
