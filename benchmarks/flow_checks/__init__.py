"""Checks of the flow against DVC that take minutes: DVC's own tests, kills at random moments, public projects."""
