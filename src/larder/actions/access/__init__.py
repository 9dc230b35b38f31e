"""Who may call: keys, links, sessions and secrets to add or revoke come in; views and audit rows go out."""
