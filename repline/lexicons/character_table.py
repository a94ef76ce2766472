"""A table of characters that Japanese, traditional and simplified Chinese share: read, made, compared.

A row is one kanji and its counterparts. The file has the form of Chu et al. (2012): a head of lines without tabs, then

    kanji<TAB>traditional,traditional<TAB>simplified,simplified      N/A where there is none
"""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from repline.errors import InputError, shown
from repline.files import new_file
from repline.reading.file_names import unpacked_name
from repline.reading.text_files import visible_lines
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord
from repline.segmentation.characters import converter

NONE = "N/A"
KANJI = "iso2022_jp"  # JIS X 0208, levels 1 and 2
SIMPLIFIED = "gb2312"
TRADITIONAL = "big5"
FILE = "character_table.tsv"
HAN = range(0x3400, 0xA000)  # the Chinese characters of all three standards lie in it
PATTERNS = ("AAA", "AAB", "ABA", "ABB", "ABC")
Link = tuple[str, str]  # a simplified character and a kanji


class Row(NamedTuple):
    """A kanji, and its traditional and simplified counterparts."""

    kanji: str
    traditional: tuple[str, ...]
    simplified: tuple[str, ...]


def read_table(path: str | Path, *, on_error: OnError | LeftOut = "stop", encoding: str = "utf-8") -> list[Row]:
    """Read the rows of a table, or of the one `.tsv` or `.txt` file in a folder.

    Args:
        on_error: at a wrong row; or an account of wrong ones, which the caller reads later.
        encoding: of a file without a byte order mark.

    Raises:
        InputError: no such file, no row, or a broken line, with its number.
    """
    path = Path(path)
    if path.is_dir():
        tables = sorted(file for file in path.iterdir() if unpacked_name(file).endswith((".tsv", ".txt")))
        if len(tables) != 1:
            raise InputError(f"{path}: expected one table of characters (.tsv or .txt), found {len(tables)}")
        path = tables[0]
    rows: list[Row] = []
    left_out = LeftOut.of(on_error)
    for number, line in visible_lines(path, encoding, left_out):
        if "\t" not in line and (not rows or not line.strip()):  # the head, or a blank line
            continue
        with left_out:
            rows.append(_row(path, number, line))
    if not rows:
        raise InputError(f"{path}: no row in it; a row is kanji, traditional, simplified between tabs")
    return rows


def _row(path: Path, number: int, line: str) -> Row:
    fields, where = line.split("\t"), f"line {number}"
    if len(fields) != 3:
        problem = f"expected kanji, traditional, simplified between tabs, found {shown(line)}"
        raise WrongRecord(path, where, problem, f"{len(fields)} fields instead of 3")
    sides = [tuple(side.split(",")) if side != NONE else () for side in fields]
    if wrong := [character for side in sides for character in side if len(character) != 1]:
        problem = f"expected single characters with commas between them, found {shown(wrong[0])}"
        raise WrongRecord(path, where, problem, "no single character")
    if len(sides[0]) != 1:
        raise WrongRecord(
            path, where, f"expected one kanji in front, found {shown(fields[0])}", "another number of kanji"
        )
    return Row(sides[0][0], *sides[1:])


def links(rows: Iterable[Row]) -> set[Link]:
    """The pairs (simplified character, kanji) of a table."""
    return {(simplified, row.kanji) for row in rows for simplified in row.simplified}


def identity_shares(rows: Iterable[Row]) -> tuple[dict[str, float], int]:
    """How often the three forms are the same, and over how many rows.

    Only rows with one traditional and one simplified character count.

    Returns:
        Per cent of the rows whose (simplified, traditional, kanji) are AAA, AAB, ABA, ABB or ABC.

    Source: Wang et al. 2018, table 1.
    """
    counts: Counter[str] = Counter()
    for row in rows:
        if len(row.traditional) == len(row.simplified) == 1:
            names: dict[str, str] = {}
            forms = (row.simplified[0], row.traditional[0], row.kanji)
            counts["".join(names.setdefault(form, "ABC"[len(names)]) for form in forms)] += 1
    total = sum(counts.values())
    return {pattern: 100 * counts[pattern] / total if total else 0.0 for pattern in PATTERNS}, total


def coverage(table_links: set[Link], reference_links: set[Link]) -> dict[str, float]:
    """Compare the links of a table of characters with those of a reference.

    Returns:
        links: how many `table_links` has; recall: the share of `reference_links` that are in it; precision: the share
        of `table_links` that are in the reference; identity: the share of `table_links` whose two characters are the
        same.
    """
    shared = len(table_links & reference_links)
    return {
        "links": len(table_links),
        "recall": shared / max(len(reference_links), 1),
        "precision": shared / max(len(table_links), 1),
        "identity": sum(simplified == kanji for simplified, kanji in table_links) / max(len(table_links), 1),
    }


def opencc_table() -> list[Row]:
    """A table from the dictionaries of OpenCC alone.

    A traditional character T stands for the simplified one that `t2s` writes for it and for the kanji that `t2jp`
    writes; a kanji K has the traditional form that `jp2t` writes for it. K, if it is in JIS X 0208, gets every T of the
    one kind and the other, and their simplified characters, if in GB 2312. Variants that OpenCC thinks of as other
    words (弌 for 一, 柒 for 七) are not in it.

    Source: https://github.com/BYVoid/OpenCC
    """
    t2s, t2jp, jp2t = (converter(conversion) for conversion in ("t2s", "t2jp", "jp2t"))
    every = [chr(code) for code in HAN]
    traditional = {character: {jp2t(character)} for character in every if _encodable(character, KANJI)}
    for character in every:
        if (written := t2jp(character)) in traditional and _encodable(character, TRADITIONAL):
            traditional[written].add(character)
    rows = []
    for kanji, forms in traditional.items():
        simplified = sorted(form for form in {t2s(form) for form in forms} if _encodable(form, SIMPLIFIED))
        rows.append(Row(kanji, tuple(sorted(forms)), tuple(simplified)))
    return rows


def write_opencc_table(folder: str | Path) -> None:
    """Write the table of `opencc_table` into a folder."""
    with new_file(Path(folder) / FILE) as partial:
        sides = (
            (row.kanji, ",".join(row.traditional) or NONE, ",".join(row.simplified) or NONE) for row in opencc_table()
        )
        partial.write_text("".join("\t".join(side) + "\n" for side in sides), encoding="utf-8")


def _encodable(character: str, standard: str) -> bool:
    """Whether a standard has the character."""
    try:
        character.encode(standard)
    except UnicodeEncodeError:
        return False
    return True
