"""The stored state of scouts: places with the state of their search, and runs."""
