"""`larder source`: fields of sources come in; sources and why they run or not are printed."""
