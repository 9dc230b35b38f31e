"""The operator's pages for sources, sites, targets, adapters and candidates: forms come in, pages go out."""
