"""Digests of the code that a command can reach, definition by definition. Nothing is run or imported.

A comment, a docstring, a line break or a new function changes no digest; an edit changes those of the commands that can
reach it. Read `statement_reader`, which reads one statement, `module_definitions`, which cuts a module into what it
defines, then `reach`, which walks from one definition to the others. This package knows nothing of the rest of this
project: which packages are read is an argument.
"""
