"""Single sentences with a class."""
