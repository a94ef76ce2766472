"""The command `repline`: `app.py` has its commands, `records.py` reads lines of input and writes answers."""
