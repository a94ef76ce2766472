"""WNDB, the text files of Princeton WordNet: data.noun, data.verb, data.adj, data.adv.

One synset a line: offset, lexicographer file, type (n, v, a, s, r), number of words (two *hexadecimal* digits), pairs
of word and lexical id, number of pointers (three decimal digits), four fields a pointer (symbol, target offset, target
part of speech, two hexadecimal digits each for the numbers of the source and the target word), for verbs the
sentence frames, then `|` and the gloss. Lines that begin with two blanks are the licence.
"""

import re
from pathlib import Path

from repline.errors import InputError, shown
from repline.lexicons.wordnet.synsets import POS, RELATIONS, Pointer, Synset, WordNet
from repline.reading.file_names import present
from repline.reading.text_files import numbered_lines

_MARKED = re.compile(r"(.+?)(\((?:a|p|ip)\))\Z")
_TYPES = {"noun": "n", "verb": "v", "adj": "as", "adv": "r"}


def read_wndb(folder: str | Path) -> WordNet:
    """Read every data file of `folder`; a synset's identifier is its offset and part of speech, "00001740-n".

    Satellite adjectives lie in data.adj and are addressed as adjectives, so their part of speech is "a".

    Args:
        folder: with at least one of data.noun, data.verb, data.adj, data.adv; plain or compressed.

    Raises:
        InputError: no data file, a line out of form (naming file and line), or a pointer that leads nowhere.
    """
    folder = Path(folder)
    files = {name: path for name in POS.values() if (path := present(folder / f"data.{name}")).exists()}
    if not files:
        raise InputError(f"{folder}: expected at least one of data.noun, data.verb, data.adj and data.adv, found none")
    synsets = []
    for name, path in files.items():
        for number, line in numbered_lines(path):
            if line.strip() and not line.startswith("  "):
                synsets.append(_synset(line, _TYPES[name], f"{path}, line {number}"))
    return WordNet(synsets, folder)


def _synset(line: str, types: str, where: str) -> Synset:
    data, bar, gloss = line.partition("|")
    fields = data.split()
    try:
        offset, _, kind, word_count, *rest = fields
        words = int(word_count, 16)
        tokens, rest = rest[: 2 * words : 2], rest[2 * words :]
        pointers = int(rest[0])
        arcs = rest[1 : 1 + 4 * pointers]
    except (ValueError, IndexError):
        raise InputError(
            f"{where}: expected offset, file, type, words and pointers of a synset, found {shown(line)}"
        ) from None
    if not bar:
        raise InputError(f"{where}: expected a gloss after |, found none; the line is cut off")
    if not re.fullmatch(r"\d{8}", offset):
        raise InputError(f"{where}: expected an offset of eight digits, found {shown(offset)}")
    if kind not in types or len(kind) != 1:
        raise InputError(f"{where}: expected a synset of type {' or '.join(types)}, found {shown(kind)}")
    if not words or len(tokens) != words or len(arcs) != 4 * pointers:
        raise InputError(
            f"{where}: expected {words} words and {pointers} pointers, found fewer fields; the line is cut off"
        )
    pos = types[0]
    marked = [_MARKED.match(token) if pos == "a" else None for token in tokens]
    return Synset(
        f"{offset}-{pos}",
        pos,
        tuple(match[1] if match else token for match, token in zip(marked, tokens, strict=True)),
        tuple(_pointer(arcs[start : start + 4], where) for start in range(0, len(arcs), 4)),
        gloss.strip(),
        tuple(match[2] if match else "" for match in marked),
        kind == "s",
    )


def _pointer(fields: list[str], where: str) -> Pointer:
    symbol, offset, pos, numbers = fields
    if symbol not in RELATIONS:
        raise InputError(f"{where}: unknown pointer symbol {shown(symbol)}; known are {' '.join(RELATIONS)}")
    if pos not in POS or not re.fullmatch(r"\d{8}", offset) or not re.fullmatch(r"[0-9a-fA-F]{4}", numbers):
        raise InputError(
            f"{where}: expected a target (offset, part of speech, word numbers), found {shown(' '.join(fields))}"
        )
    return Pointer(RELATIONS[symbol], f"{offset}-{pos}", int(numbers[:2], 16), int(numbers[2:], 16))
