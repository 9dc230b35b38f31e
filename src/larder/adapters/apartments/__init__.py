"""apartments.com: rentals in the United States."""
