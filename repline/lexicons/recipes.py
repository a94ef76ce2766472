"""Recipes of lexicons: the typed sections of params.yaml that say what they are made of."""

from typing import Literal

from repline.parameters import Count
from repline.reading.settings import LineReading, Reading

Selection = Literal["all", "densest", "random", "frequency", "wordlist"]
PairForm = Literal["pairs", "lists"]


class Subgraph(LineReading):
    """Settings of `repline.lexicons.wordnet.subgraphs.subgraph`: its arguments other than the wordnet.

    A wrong line of the list of frequent words is treated by `on_error`.

    Attributes:
        pos: parts of speech: "n", "v", "a", "r"; None for all.
        root: only synsets below this one, see `repline.lexicons.wordnet.subgraphs.restrict`.
        relations: names or groups of `repline.lexicons.word_graph`; None for all.
        selection, size, seed: which words, see `repline.lexicons.wordnet.subgraphs.select_words`.
        raw_tokens: keep case and adjective markers in the words.
    """

    pos: list[str] | None = None
    root: str | None = None
    relations: list[str] | None = None
    selection: Selection = "all"
    words: Count | None = None
    seed: int = 0
    raw_tokens: bool = False


class Constraints(Reading):
    """Pairs of synonyms and antonyms, and how their files are read.

    Attributes:
        place: in data/: a stored wordnet, or a folder with files of pairs.
        synonyms, antonyms: the file of each kind, where it is a folder; None for none of that kind.
        form: of these files, see `repline.lexicons.constraints.read_pairs`.
        language: of the words in the files, which name it where they have words of several.
        indirect_antonyms: also those of the synsets that are similar to the direct ones.
    """

    place: str
    synonyms: str | None = None
    antonyms: str | None = None
    form: PairForm = "pairs"
    language: str | None = None
    indirect_antonyms: bool = False
