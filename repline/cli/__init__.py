"""The command `repline`: `app.py` has its commands, `records.py` reads lines of input and writes answers.

Groups of commands have a file each: `evaluate.py`, `train.py` and `vector_commands.py`. The command lies above the
systems and may import them; nothing imports it.
"""
