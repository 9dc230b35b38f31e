"""One function per operator's command: the command line, the API and the web all call these.

Each is a unit of work over a connection (`app.run(action, …)`): it commits as a whole or not at all. Whatever
changes something takes `who` and writes a row of the `audit` table.
"""
