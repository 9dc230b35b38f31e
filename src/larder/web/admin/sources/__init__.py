"""The operator's pages for sources, sites, targets, adapters and candidates."""
