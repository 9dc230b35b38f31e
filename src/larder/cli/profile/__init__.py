"""`larder source learn`: a source's site profile, with its evidence."""
