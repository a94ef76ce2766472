"""The published systems, a room each: what only that paper needs.

No system imports another, and no shared room imports a system.
"""
