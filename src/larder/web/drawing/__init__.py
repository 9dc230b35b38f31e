"""Values come in; charts and maps go out as SVG, drawn on the server."""
