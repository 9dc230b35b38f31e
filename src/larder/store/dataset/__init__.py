"""Records and everything said of them: values come in from `persist`.

Rows with their history, evidence and links go out.
"""
