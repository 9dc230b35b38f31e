"""What operators and the public do with records: look, export, correct, link, watch."""
