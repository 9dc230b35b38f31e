"""Words of pages for one meaning each, in the languages that Larder reads: one line a language or two."""
