"""A chunker for text without a parse: a conditional random field over words, affixes and tags around each word.

    p(y_1 .. y_n) ~ exp sum_t  E[t, y_t] + T[y_{t-1}, y_t]
    E[t, y]       = sum of the weights of y for what is seen around place t

where y are IOB2 chunk tags. CRFsuite finds the best path and learns the weights
(`repline.corpora.chunks.chunk_tagger_training`).

Source: Lafferty, McCallum & Pereira 2001 for the field, Sha & Pereira 2003 for chunks by it; Okazaki 2007, CRFsuite.
"""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import pycrfsuite

from repline.errors import InputError, in_one_line
from repline.files import new_folder, write_json

WORDS = ((-2,), (-1,), (0,), (1,), (2,), (-2, -1), (-1, 0), (0, 1), (1, 2))  # which places make one feature
SHAPES = ((-1,), (0,), (1,))
TAGS = (*WORDS, (-2, -1, 0), (-1, 0, 1), (0, 1, 2))
AFFIXES = (-1, -2, -3, -4, 1, 2, 3)  # letters from the end, and from the beginning
REACH = 2  # places to the left and right
EDGE = " "  # what stands outside a sentence; no word is a space
MODEL, CONFIG = "model.crfsuite", "config.json"

Lists = Sequence[Sequence[str]]


class ChunkTagger:
    """A CRF that finds chunks, made by `repline.corpora.chunks.chunk_tagger_training.train` or `load`.

    Attributes:
        model: the file that CRFsuite wrote.
        uses_tags: whether `predict` needs part-of-speech tags.
    """

    def __init__(self, model: bytes, uses_tags: bool):
        self.model, self.uses_tags = model, uses_tags  # CRFsuite reads the bytes in place, so they stay
        self._field = pycrfsuite.Tagger()
        self._field.open_inmemory(model)

    def predict(self, tokens: Lists, tags: Lists | None = None) -> list[list[str]]:
        """The IOB2 chunk tags of sentences.

        Raises:
            InputError: the tagger needs part-of-speech tags, and there are none.
        """
        if self.uses_tags and tags is None:
            raise InputError("this chunk tagger reads part-of-speech tags; give them, or train one on words alone")
        read: Sequence[Sequence[str] | None] = tags if self.uses_tags and tags is not None else [None] * len(tokens)
        return [_begun(self._field.tag(seen(*pair))) for pair in zip(tokens, read, strict=True)]

    def save(self, folder: str | Path) -> None:
        """Write `model.crfsuite` and `config.json` into `folder`, all or nothing."""
        with new_folder(folder) as partial:
            (partial / MODEL).write_bytes(self.model)
            write_json(partial / CONFIG, {"uses_tags": self.uses_tags, "sha256": _digest(self.model)})

    @classmethod
    def load(cls, folder: str | Path) -> "ChunkTagger":
        """Read what `save` wrote; InputError if it is not there or broken.

        CRFsuite trusts the numbers in its file, so only a file with the digest of the saved one reaches it.
        """
        try:
            config = json.loads((Path(folder) / CONFIG).read_text(encoding="utf-8"))
            model = (Path(folder) / MODEL).read_bytes()
            if config["sha256"] != _digest(model):
                raise ValueError(f"{MODEL} is not the file that was saved")
            return cls(model, bool(config["uses_tags"]))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(f"{folder}: this is not a chunk tagger ({in_one_line(error)}); train it again") from None


def seen(tokens: Sequence[str], tags: Sequence[str] | None) -> list[list[str]]:
    """Features of each position of a sentence, from the words around it, as names such as `word-1,0=the\\tcat`."""
    features: list[list[str]] = [[] for _ in tokens]
    _around(features, "word", tokens, WORDS)
    _around(features, "shape", [_shape(word) for word in tokens], SHAPES)
    for names, word in zip(features, tokens, strict=True):
        names += [f"affix{n}={word[n:] if n < 0 else word[:n]}" for n in AFFIXES]
    if tags is not None:
        _around(features, "tag", tags, TAGS)
    return features


def _around(features: list[list[str]], kind: str, values: Sequence[str], templates: Sequence[tuple[int, ...]]) -> None:
    padded = [EDGE] * REACH + list(values) + [EDGE] * REACH
    for offsets in templates:
        name = kind + ",".join(map(str, offsets)) + "="
        columns = [padded[REACH + offset : REACH + offset + len(values)] for offset in offsets]
        for names, parts in zip(features, zip(*columns, strict=True), strict=True):
            names.append(name + "\t".join(parts))


def _begun(path: list[str]) -> list[str]:
    """The path as IOB2: an I-X that continues no X begins one."""
    tags: list[str] = []
    for tag in path:
        continues = bool(tags) and tags[-1][2:] == tag[2:] and tags[-1] != "O"
        tags.append(f"B-{tag[2:]}" if tag.startswith("I-") and not continues else tag)
    return tags


def _digest(model: bytes) -> str:
    return hashlib.sha256(model).hexdigest()


def _shape(word: str) -> str:
    """Capitals, small letters, digits and signs, without repetitions: `Xx`, `d.d`."""
    shape = ""
    for letter in word:
        mark = "d" if letter.isdigit() else "X" if letter.isupper() else "x" if letter.isalpha() else letter
        if not shape.endswith(mark):
            shape += mark
    return shape
