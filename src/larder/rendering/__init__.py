"""Values as text and JSON, shared by the command line, the API and the pages."""
