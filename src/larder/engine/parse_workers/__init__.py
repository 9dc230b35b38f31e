"""A function and a scraped page come in; its result goes out, from a process that can be killed."""
