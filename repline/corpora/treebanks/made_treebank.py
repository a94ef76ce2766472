"""A synthetic treebank: English sentences of a small grammar with their Universal Dependencies.

    S -> NP VP .     NP -> Name | Det Num? Adj* Noun (PP | Relative)?     VP -> Adv? Verb NP PP?

Words follow Zipf's law within their part of speech, and verbs prefer the objects next to them in the list, so that
there is something to learn where no real parse is at hand. The file is CoNLL-U, like the treebanks of real English.
"""

from pathlib import Path
from random import Random

from repline.errors import InputError
from repline.files import new_file

FILE = "made_treebank.conllu"
DETERMINERS = ("the", "a", "this", "every", "some", "no")
ADJECTIVES = ("old", "small", "red", "new", "quiet", "famous", "northern", "heavy", "early", "strange")
NOUNS = (
    *(
        "city",
        "river",
        "king",
        "ship",
        "road",
        "army",
        "book",
        "letter",
        "child",
        "teacher",
        "garden",
        "bridge",
        "tree",
    ),
    *(
        "house",
        "song",
        "market",
        "farmer",
        "horse",
        "mountain",
        "island",
        "law",
        "court",
        "painter",
        "machine",
        "engine",
    ),
)
VERBS = (
    "saw",
    "built",
    "crossed",
    "found",
    "carried",
    "wrote",
    "sold",
    "left",
    "held",
    "praised",
    "repaired",
    "watched",
)
ADVERBS = ("often", "slowly", "later", "again", "rarely", "quietly")
PREPOSITIONS = ("of", "in", "near", "with", "from", "behind")
SYLLABLES = ("bar", "lin", "dor", "mek", "tas", "vel", "nor", "pra", "sil", "gan", "hul", "ket", "ros", "wim")
NUMBERS = ("two", "12", "1,200", "1868")


def write(folder: str | Path, *, seed: int, documents: int = 40, sentences: int = 25) -> None:
    """Write `made_treebank.conllu` into `folder`.

    Args:
        seed: of the draw.
        documents: how many, with their names in `# newdoc id`.
        sentences: of each document.

    Raises:
        InputError: no document or no sentence.
    """
    if documents < 1 or sentences < 1:
        raise InputError(f"a treebank is one sentence at least, found {documents} documents of {sentences} sentences")
    random = Random(seed)
    with new_file(Path(folder) / FILE) as partial, open(partial, "w", encoding="utf-8", newline="\n") as out:
        for document in range(documents):
            out.write(f"# newdoc id = made-{document:04d}\n")
            for number in range(sentences):
                out.write(f"# sent_id = made-{document:04d}-{number:04d}\n")
                for word_number, (form, pos, tag, relation, head) in enumerate(_sentence(random), start=1):
                    out.write(f"{word_number}\t{form}\t{form.lower()}\t{pos}\t{tag}\t_\t{head}\t{relation}\t_\t_\n")
                out.write("\n")


class _Tree:
    """Words with the places (from 1) of their heads."""

    def __init__(self) -> None:
        self.words: list[list] = []

    def add(self, form: str, pos: str, tag: str, relation: str = "", head: int = 0) -> int:
        self.words.append([form, pos, tag, relation, head])
        return len(self.words)

    def attach(self, word: int, relation: str, head: int) -> None:
        self.words[word - 1][3:] = [relation, head]


def _sentence(random: Random) -> list[list]:
    tree = _Tree()
    subject = _noun_phrase(tree, random, 2)
    verb = _verb_phrase(tree, random, "root", 0, 2)
    tree.attach(subject, "nsubj", verb)
    tree.add(".", "PUNCT", ".", "punct", verb)
    tree.words[0][0] = tree.words[0][0].capitalize()
    return tree.words


def _noun_phrase(tree: _Tree, random: Random, depth: int, number: int | None = None) -> int:
    if number is None and _below(random, 4) == 0:
        first, second = divmod(_zipf(random, len(SYLLABLES) ** 2), len(SYLLABLES))
        return tree.add((SYLLABLES[first] + SYLLABLES[second]).capitalize(), "PROPN", "NNP")
    left = [tree.add(_pick(random, DETERMINERS), "DET", "DT", "det")]
    if _below(random, 8) == 0:
        left.append(tree.add(_pick(random, NUMBERS), "NUM", "CD", "nummod"))
    left += [tree.add(_pick(random, ADJECTIVES), "ADJ", "JJ", "amod") for _ in range(max(0, _below(random, 4) - 1))]
    noun = tree.add(_pick(random, NOUNS) if number is None else NOUNS[number % len(NOUNS)], "NOUN", "NN")
    for modifier in left:
        tree.words[modifier - 1][4] = noun
    kind = _below(random, 6) if depth else 5
    if kind < 2:
        _prepositional(tree, random, "nmod", noun, depth - 1)
    elif kind == 2:
        pronoun = tree.add("that", "PRON", "WDT", "nsubj")
        verb = _verb_phrase(tree, random, "acl:relcl", noun, 0)
        tree.words[pronoun - 1][4] = verb
    return noun


def _verb_phrase(tree: _Tree, random: Random, relation: str, head: int, depth: int) -> int:
    adverb = tree.add(_pick(random, ADVERBS), "ADV", "RB", "advmod") if _below(random, 5) == 0 else 0
    number = _zipf(random, len(VERBS))
    verb = tree.add(VERBS[number], "VERB", "VBD", relation, head)
    if adverb:
        tree.words[adverb - 1][4] = verb
    preferred = 2 * number + _below(random, 2) if _below(random, 3) else None
    tree.attach(_noun_phrase(tree, random, max(0, depth - 1), preferred), "obj", verb)
    if depth and _below(random, 2):
        _prepositional(tree, random, "obl", verb, depth - 1)
    return verb


def _prepositional(tree: _Tree, random: Random, relation: str, head: int, depth: int) -> None:
    preposition = tree.add(_pick(random, PREPOSITIONS), "ADP", "IN", "case")
    noun = _noun_phrase(tree, random, depth)
    tree.attach(noun, relation, head)
    tree.words[preposition - 1][4] = noun


def _pick(random: Random, choices):
    return choices[_zipf(random, len(choices))]


def _zipf(random: Random, size: int) -> int:
    """0 .. size - 1, with a probability that falls as 1 / (1 + rank), in whole numbers alone."""
    weights = [1_000_000 // rank for rank in range(1, size + 1)]
    left = _below(random, sum(weights))
    for number, weight in enumerate(weights):
        if left < weight:
            return number
        left -= weight
    return size - 1


def _below(random: Random, limit: int) -> int:
    """Uniform in 0 .. limit - 1 from `random()`, whose stream, alone of the module, is the same in every Python."""
    return int(random.random() * limit)
