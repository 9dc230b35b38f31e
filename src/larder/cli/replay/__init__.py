"""`larder replay`: a filter comes in; the differences between two readings are printed."""
