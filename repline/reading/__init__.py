"""Files as people have them: found by name, decoded, split into lines, fields and records, and what is wrong in them.

Read `text_files.py` first: every text comes in by its lines. `wrong_records.py` says what a wrong line does.
"""
