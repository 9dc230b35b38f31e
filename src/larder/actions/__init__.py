"""One function per operator's button: the command line, the API and the web all call these.

Each is a unit of work over a connection (`app.run(action, …)`): it happens as a whole or not at all. Whatever
changes something says who did it and leaves a line in the `audit` table.
"""
