"""Simulated websites whose content is known, so that Larder's dataset can be compared with it.

One definition serves three faces: structured pages for virtual time, HTML over real HTTP for the demo and the
end-to-end tests, and the truth itself for the score. Nothing here knows Larder's engine or store.
"""
