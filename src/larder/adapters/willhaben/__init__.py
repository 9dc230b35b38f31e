"""willhaben.at: Austrian classifieds."""
