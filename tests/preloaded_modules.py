"""All modules of all commands, imported once."""

from larder.cli import COMMANDS, load_command

for _name in COMMANDS:
    load_command(_name)
