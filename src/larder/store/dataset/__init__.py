"""Records and everything known of them: values come in from `persist`.

Rows with their history, evidence and links go out.
"""
