"""The published systems, one folder each, with the code that only this system needs.

No system imports another, and no shared room imports a system.
"""
