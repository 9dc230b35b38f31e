"""Any site's listings: no reading code, the cascade reads for it."""

from larder.sdk import Kind, SiteAdapter


class GenericListing(SiteAdapter):
    """The generic adapter for listings."""

    id, version, kind = "listing", "1.0.0", Kind.LISTING
