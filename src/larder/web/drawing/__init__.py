"""Charts and maps as SVG, drawn on the server."""
