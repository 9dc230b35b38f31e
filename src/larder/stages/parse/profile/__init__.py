"""Site profiles: an index page and a few of its detail pages come in, proven selectors go out."""
