"""Sentences with semantic roles: propositions; role_files, bracket_columns; role_corpus; linearisation; made_roles."""
