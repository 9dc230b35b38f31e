"""sgammo.com: ammunition."""
