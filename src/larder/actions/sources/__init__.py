"""What operators do with sources, sites, targets and adapters: add, import, change, review, repair."""
