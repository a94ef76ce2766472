"""Generated blocks of a README, between `<!-- name:begin -->` and `<!-- name:end -->`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from repline.errors import InputError
from repline.files import new_file


def replace(path: str | Path, name: str, content: str, check: bool = False) -> bool:
    """Put `content` between the two markers of the block `name`; returns whether the file changes.

    `check`: do not write it.

    Raises:
        InputError: the file is missing, or does not have each marker once and in order.
    """
    begin, end = f"<!-- {name}:begin -->", f"<!-- {name}:end -->"

    def with_block(text: str) -> str:
        if text.count(begin) != 1 or text.count(end) != 1 or text.index(begin) > text.index(end):
            raise InputError(
                f"{path}: expected one line {begin} and after it one line {end}, for the {name} between them"
            )
        return f"{text[: text.index(begin)]}{begin}\n{content}\n{text[text.index(end) :]}"

    if not Path(path).exists():
        raise InputError(f"{path}: there is no such file to put the {name} in")
    return rewrite(path, with_block, check)


def rewrite(path: str | Path, change: Callable[[str], str], check: bool = False) -> bool:
    """Write what `change` makes of a file's text; returns whether the file changes. `check`: do not write it."""
    path = Path(path)
    text = path.read_text(encoding="utf-8")
    changed = change(text)
    if changed == text or check:
        return changed != text
    with new_file(path) as partial:
        partial.write_text(changed, encoding="utf-8")
    return True


def cell(text: Any) -> str:
    """Text that neither ends a cell of a table nor starts a link, a tag or code."""
    escaped = " ".join(str(text).split())
    for character in "\\|[]<`":
        escaped = escaped.replace(character, f"\\{character}")
    return escaped
