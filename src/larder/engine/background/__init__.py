"""Work beside the lanes: changes and due times come in.

Notifications, images, places and cleaned-up tables go out.
"""
