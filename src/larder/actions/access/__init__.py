"""Who may call: API keys, sign-in links, sessions, and the secrets that sources need."""
