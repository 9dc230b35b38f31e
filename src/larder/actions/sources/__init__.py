"""Sources, sites, targets and adapters: additions, changes and reviews come in; views go out."""
