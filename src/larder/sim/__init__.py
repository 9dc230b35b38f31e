"""The made-up web: sites whose truth is known, so that what Larder believes can be scored against it.

One definition serves three faces: structured pages for virtual time, HTML over real HTTP for the demo and the
end-to-end tests, and the truth itself for the score. Nothing here knows Larder's engine or store.
"""
