"""What operators and the public do with records: list, export, correct, link, watch."""
