"""Monkey patches of DVC, what each saves, and why it is right.

Where a name of DVC's that a patch needs is gone, DVC works as released. The patches are for the versions of DVC that
pyproject.toml allows; `tests/flows/processes/test_other_dvc.py` runs stages without them.
"""
