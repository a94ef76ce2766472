"""The exception and the warning that a person is meant to read, and values of files as their messages show them."""

SHOWN = 60  # characters of a value in a message
READABLE = 200  # characters of a list of names, or of what a library says, in a message


class InputError(ValueError):
    """Something outside the code is wrong: a file, a parameter, a source, the disk.

    The message is one sentence: what was expected, what was found, where, and what to do.
    The command line prints it without a traceback and exits with 1.
    """


class Notice(UserWarning):
    """What a person should know of an answer, such as that a part of the input was not read.

    The message is one sentence. The command line prints it as one line, once.
    """


def count_remedy(minimum_count: int, more: str) -> str:
    """What to do where nothing occurs `minimum_count` times: lower the count, where that can be, or take `more`."""
    return f"take {more}" if minimum_count == 1 else f"lower the minimum count, or take {more}"


def shown(value: object, length: int = SHOWN) -> str:
    """A value of a file as a message shows it: quoted, on one line, characters one cannot see escaped, long ones cut.

    >>> print(shown("a\\tb\\u202e"), shown("x" * 1000, 8))
    'a\\tb\\u202e' 'xxxx…xxxx' (1,000 characters)

    Args:
        value: a text, or lists and numbers of them, which are shown as Python writes them.
        length: the most characters of a text that are shown.
    """
    text = value if isinstance(value, str) else repr(value)
    if len(text) <= length:
        return repr(value)
    cut = f"{text[: length // 2]}…{text[-(length // 2) :]}"
    return f"{repr(cut) if isinstance(value, str) else cut} ({len(text):,} characters)"


def readable(text: str, length: int = READABLE) -> str:
    """A message on one line, without characters one cannot see, and its middle left out where it is longer."""
    line = text if text.isprintable() else "".join(part if part.isprintable() else repr(part)[1:-1] for part in text)
    return line if len(line) <= length else f"{line[: length // 2]}…{line[-(length // 2) :]}"


def in_one_line(error: Exception, length: int = READABLE) -> str:
    """What a library says of a damaged file, or the name of its exception, as one line of a message."""
    return readable(" ".join(str(error).split()) or type(error).__name__, length)
