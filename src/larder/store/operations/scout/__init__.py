"""What a scout stores: places and how far each is, and its runs."""
