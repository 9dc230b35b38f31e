"""Values of the rooms below, as text and JSON that the command line and the API share."""
