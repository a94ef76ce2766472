"""Definitions of words, from a wordnet (the most used senses first) or from a table in a file.

A dictionary maps a headword, in lower case, to the tokens of its definitions, one after the other.

A table has a headword, a tab and a definition a line; a headword may have several lines.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np

from repline.errors import InputError, shown
from repline.files import new_file
from repline.lexicons.wordnet.synsets import POS, Synset, WordNet
from repline.parameters import Count
from repline.reading.file_names import present
from repline.reading.settings import Head
from repline.reading.table_fields import unquoted
from repline.reading.table_heads import head_columns, rows_below_head
from repline.reading.text_files import numbered_lines, visible_lines
from repline.reading.wrong_records import LeftOut, OnError, WrongRecord

Dictionary = dict[str, list[str]]
HEADS = set(product(("word", "headword"), ("definition", "gloss")))
TAGGED = "index.sense"  # of WNDB: a sense's key, its offset, its number and how often it is tagged
_TYPES = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}  # of a sense's key
# WordNet's rules of detachment: an ending and what takes its place
ENDINGS = {
    "n": [("s", "")]
    + [(ending, ending[:-2]) for ending in ("ses", "xes", "zes", "ches", "shes")]
    + [("men", "man"), ("ies", "y")],
    "v": [("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")],
    "a": [("er", ""), ("est", ""), ("er", "e"), ("est", "e")],
    "r": [],
}


class SenseUse(NamedTuple):
    """What a WNDB folder says next to its synsets.

    Attributes:
        counts: how often a lemma is tagged with a synset, by lemma and the synset's identifier.
        base_forms: irregular forms, by part of speech.
    """

    counts: Mapping[tuple[str, str], int]
    base_forms: Mapping[str, Mapping[str, Sequence[str]]]


def read_sense_use(folder: str | Path) -> SenseUse:
    """The counts of `index.sense`, and the exceptions of `noun.exc`, `verb.exc`, `adj.exc`, `adv.exc` where they are.

    Raises:
        InputError: there is no index.sense, or a line that is not as WordNet writes it, naming file and line.
    """
    path = Path(folder) / TAGGED
    counts: dict[tuple[str, str], int] = {}
    for number, line in numbered_lines(path):
        try:
            key, offset, _, tagged = line.split()
            lemma, _, rest = key.partition("%")
            counts[lemma, f"{offset}-{_TYPES[rest[0]]}"] = int(tagged)
        except (ValueError, KeyError, IndexError):
            raise InputError(
                f"{path}, line {number}: expected a key, an offset, a number and a count, found {shown(line)}"
            ) from None
    irregular: dict[str, dict[str, list[str]]] = {}
    for pos, name in POS.items():
        path = Path(folder) / f"{name}.exc"
        lines = numbered_lines(path) if present(path).exists() else ()
        irregular[pos] = {form: bases for form, *bases in (line.split() for _, line in lines if line.strip())}
    return SenseUse(counts, irregular)


def base_forms(word: str, pos: str, irregular: Mapping[str, Mapping[str, Sequence[str]]] | None = None) -> list[str]:
    """The word, its irregular base forms, and what the rules of detachment make of it, whether a word or not."""
    forms = [word, *(irregular or {}).get(pos, {}).get(word, ())]
    forms += [word.removesuffix(old) + new for old, new in ENDINGS.get(pos, ()) if word.endswith(old)]
    return list(dict.fromkeys(form for form in forms if form))


def wordnet_definitions(
    wordnet: WordNet,
    words: Iterable[str],
    tokens: Callable[[str], list[str]],
    *,
    with_base_forms: bool = True,
    definitions: Count = 5,
    longest: Count = 64,
    stop_words: Collection[str] = (),
    use: SenseUse | None = None,
) -> Dictionary:
    """The definitions of the words that a wordnet defines.

    Senses come in the order of how often they are tagged, then noun, verb, adjective, adverb, then the order of the
    wordnet. Of a sense, the definition is the gloss before its first example.

    Args:
        words: in lower case.
        tokens: splits a definition; it may leave the case as it is.
        with_base_forms: whether "dogs" has the definitions of "dog".
        definitions: largest number of definitions of a word.
        longest: largest number of tokens of a word's definitions; the rest is cut off.
        stop_words: words that have no entry; in the definitions of others they stay.
        use: counts and irregular forms; None counts nothing, and knows regular forms alone.

    Returns:
        A dictionary of the words whose definitions have more than one token.
    """
    dictionary: Dictionary = {}
    for word in words:
        if word in stop_words:
            continue
        senses: dict[str, tuple[int, Synset]] = {}
        for pos in POS:
            forms = base_forms(word, pos, use.base_forms if use else None) if with_base_forms else [word]
            for form in forms:
                for synset in wordnet.synsets(form, pos):
                    count = use.counts.get((form, synset.id), 0) if use else 0
                    senses.setdefault(synset.id, (count, synset))
        used_senses = sorted(senses.values(), key=lambda sense: -sense[0])[:definitions]
        glosses = [synset.gloss.partition('; "')[0] for _, synset in used_senses]
        definition = [token.lower() for gloss in glosses for token in tokens(gloss)]
        if len(definition) > 1:
            dictionary[word] = definition[:longest]
    return dictionary


def shuffled(dictionary: Dictionary, seed: int) -> Dictionary:
    """Each headword with the definition of another one: a control that keeps all lengths and words.

    Raises:
        InputError: fewer than two headwords.
    """
    if len(dictionary) < 2:
        raise InputError(f"a dictionary of {len(dictionary)} headwords cannot be shuffled")
    order = np.random.default_rng(seed).permutation(sorted(dictionary)).tolist()
    return {word: dictionary[defined_word] for word, defined_word in zip(order, order[1:] + order[:1], strict=True)}


def read_definitions(
    path: str | Path,
    tokens: Callable[[str], list[str]],
    *,
    on_error: OnError | LeftOut = "stop",
    encoding: str = "utf-8",
    head: Head = "auto",
) -> Dictionary:
    """Read a dictionary from a table of headwords and definitions; empty lines are passed over.

    Args:
        tokens: splits a definition.
        on_error: at a wrong line; or an account of wrong ones, which the caller reads later.
        encoding: of a file without a byte order mark.
        head: whether the first line names the columns; auto recognises (head)word and definition or gloss.

    Raises:
        InputError: a line without a tab, or without a headword or a definition, naming file and line; or no line.
    """
    dictionary: Dictionary = {}
    left_out = LeftOut.of(on_error)
    lines = visible_lines(path, encoding, left_out)
    for number, line in rows_below_head(
        path, lines, left_out, lambda line: head_columns(head, line.split("\t"), HEADS)
    ):
        word, _, definition = (unquoted(part.strip()).strip() for part in line.partition("\t"))
        with left_out:
            if not word or not definition or "\t" in definition:
                problem = f"expected a headword, a tab and a definition, found {shown(line)}"
                raise WrongRecord(path, f"line {number}", problem, "no headword and definition")
            dictionary.setdefault(word.lower(), []).extend(token.lower() for token in tokens(definition))
    if not dictionary:
        raise InputError(f"{path}: expected a headword, a tab and a definition a line, found no line")
    return dictionary


def write_definitions(dictionary: Dictionary, path: str | Path) -> None:
    """Write a table that `read_definitions` reads with `str.split`."""
    with new_file(path) as partial:
        lines = (f"{word}\t{' '.join(tokens)}\n" for word, tokens in sorted(dictionary.items()))
        partial.write_text("".join(lines), encoding="utf-8")
