"""Values come in; text and JSON go out, the same for the command line, the API and the pages."""
