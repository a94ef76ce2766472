"""The one exception of a run that a person is meant to read."""


class InputError(ValueError):
    """Something outside the code is wrong: a file, a parameter, an option, the disk.

    The message is one sentence: what was expected, what was found, where, and what to do.
    The command line prints it without a traceback and exits with 1.
    """
