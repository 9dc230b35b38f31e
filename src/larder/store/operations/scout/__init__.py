"""What a scout stores: places with the state of their search, and its runs."""
