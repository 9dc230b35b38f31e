"""`larder source learn`: a source comes in; its site profile is printed, with its evidence."""
