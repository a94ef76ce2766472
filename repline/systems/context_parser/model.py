"""The context-integrating dependency parser: sparse weights of arcs, and what it can do with them.

    score(h, m) = w_l · f(h, m) + λ w_c · g(h, m, refs)                        an arc from head h to word m
    y* = argmax over trees y of Σ_m score(y(m), m)                             (1), printed as a max; arcs may cross
    (refs*, tag*) = argmax over refs and tags of max_y Σ_m score(y(m), m)      for a gap, filled by what it refers to

f are features of words and tags. g are those of the context: they are there once for each kind of relation between
what h and m refer to, in either direction. In training λ = 1; a gap is filled with one λ for the relations of the scene
and one for those that are inferred. The authors' program adds a low-rank score, which the paper does not have; it is
not here.

    parser = ContextParser.from_folder("data/models/context_parser/parsers/made_scenes/fold-1/context")
    parser.complete(sentence, [Weights(5, 5)])[0].filler     # mug_2
    parser.parse(sentence)                                   # heads of a complete sentence

Notation: n words of a sentence, 0 its root, F features. (w_l, w_c) are `weights` [F] of the features `keys` [F], λ
is `weight`, or `Weights(original, inferred)`; `arc_scores(sentence)` [n + 1, n + 1], from row h to column m.

f and g lie in `repline.systems.context_parser.features`, relations in `.relations`, the tree in `.spanning_tree`, the
search over refs and tags in `.completion`, training in `.mira`.

Source: Rekaby Salama, Alaçam and Menzel (2018), *Text Completion using Context-Integrating Dependency Parsing*,
equation 1 and algorithm 1.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load_file, save_file

from repline.corpora.scenes.scene import GAP, SceneSentence, Word, coarse_of, name_of
from repline.errors import InputError, in_one_line, shown
from repline.files import new_folder, write_json
from repline.systems.context_parser.arc_scores import context_tables, linguistic_tables, sentence_scores
from repline.systems.context_parser.completion import best_candidate
from repline.systems.context_parser.features import (
    MAX_SENTENCE_WORDS,
    MAX_TAGS,
    MAX_WORDS,
    RESERVED,
    ROOT,
    UNKNOWN,
)
from repline.systems.context_parser.relations import (
    REFERRING,
    Context,
    candidates_of,
    context_of,
    gold_relations,
)
from repline.systems.context_parser.settings import NextTo, Weights
from repline.systems.context_parser.spanning_tree import best_tree
from repline.systems.context_parser.sparse_weights import table_of

GAP_TAGS = REFERRING, tuple(map(coarse_of, REFERRING))  # fine and coarse, that a gap may have


class Completion(NamedTuple):
    """A filled gap. `references` are of all words, "" where there is none; `heads` count from 1, 0 at a root."""

    filler: str
    tag: str
    references: tuple[str, ...]
    heads: tuple[int, ...]
    score: float
    candidates: int
    searched: int  # candidates whose tree was searched


class ContextParser:
    """A trained parser.

    Args:
        words, tags: word or tag -> number, from `features.RESERVED`.
        keys, weights: [F], features as numbers and their weights.
        context: whether it was trained with the context; without it, it is the uni-modal parser.
        next_to: as in `relations.context_of`.
    """

    def __init__(
        self,
        words: Mapping[str, int],
        tags: Mapping[str, int],
        keys: NDArray[np.int64],
        weights: NDArray[np.float64],
        *,
        context: bool,
        next_to: NextTo,
    ) -> None:
        self.words, self.tags = dict(words), dict(tags)
        self.keys, self.weights = keys, weights
        self.context, self.next_to = context, next_to
        self._table = table_of(keys, weights)
        self._last: tuple[Any, list[int], NDArray[np.float64]] | None = None  # what `_linguistic` computed

    def parse(self, sentence: SceneSentence, weight: float = 1.0) -> tuple[int, ...]:
        """The heads of the best tree of a complete sentence, its references given.

        Args:
            weight: lambda.
        """
        return tuple(best_tree(self.arc_scores(sentence, weight))[0][1:].tolist())

    def arc_scores(self, sentence: SceneSentence, weight: float = 1.0) -> NDArray[np.float64]:
        """The scores of all arcs of a complete sentence, [n + 1, n + 1] from head to word."""
        encoded = encode(sentence.words, self.words, self.tags)
        related = np.zeros((len(sentence.words) + 1,) * 2, np.uint8)
        if self.context:
            context = context_of(sentence.triplets, sentence.words, next_to=self.next_to)
            related = gold_relations(sentence.words, context)
        return sentence_scores(*self._table, encoded, related, float(weight))

    def complete(self, sentence: SceneSentence, weights: Sequence[Weights], *, prune: bool = True) -> list[Completion]:
        """Fill the first gap of a sentence; the lemmas, tags and references of its gaps are not looked at.

        Args:
            weights: of the context, one completion for each.
            prune: whether to leave out candidates that cannot win; the answer is the same without.

        Raises:
            InputError: the sentence has no gap, or its scene no item to fill it with.
        """
        if not sentence.gaps:
            raise InputError(f"scene {sentence.scene}: there is no gap ({GAP}) in {shown(sentence.text)}")
        words = hidden(sentence.words)
        context = context_of(sentence.triplets, words, next_to=self.next_to)
        if not context.fillers:
            raise InputError(
                f"scene {sentence.scene}: no triplet, so nothing can fill the gap in {shown(sentence.text)}"
            )
        gap = sentence.gaps[0]
        referring = [(gap, list(range(context.fillers)))]
        for position, word in enumerate(words):
            if position not in sentence.gaps and (options := candidates_of(word, context)):
                referring.append((position, options))
        word_positions = np.array([position + 1 for position, _ in referring], np.int64)
        items = np.array([item for _, options in referring for item in options], np.int64)
        starts = np.cumsum([0, *(len(options) for _, options in referring)]).astype(np.int64)
        # names that the parser has not seen share one number
        numbers = [self.words.get(name_of(item), UNKNOWN) for item in context.items[: context.fillers]]
        names = list(dict.fromkeys(numbers))
        name_of_item = np.array([names.index(number) for number in numbers], np.int64)
        encoded = encode(words, self.words, self.tags)
        related = context.original | context.inferred
        fine, coarse = (np.array([self.tags.get(tag, UNKNOWN) for tag in tags], np.int64) for tags in GAP_TAGS)
        linguistic = self._linguistic(encoded, gap + 1, names, [fine, coarse])
        needed = self._needed(referring, context, len(names), name_of_item, related)
        name_numbers = np.array(names, np.int64)
        scores = context_tables(*self._table, encoded, gap + 1, name_numbers, fine, coarse, word_positions, needed)
        tables = (linguistic, scores, word_positions, items, starts, name_of_item, context.original, context.inferred)
        completions = []
        for pair in weights:
            original, inferred = pair if self.context else Weights(0.0, 0.0)
            tag, item_choice, heads, score, candidates, searched = best_candidate(
                *tables, float(original), float(inferred), prune
            )
            references = [""] * len(words)
            for (position, _), item in zip(referring, item_choice.tolist(), strict=True):
                references[position] = context.items[item]
            completions.append(
                Completion(
                    *(references[gap], REFERRING[tag], tuple(references), tuple(heads[1:].tolist())),
                    *(score, candidates, searched),
                )
            )
        return completions

    def _linguistic(
        self, encoded: NDArray[np.int64], gap: int, names: Sequence[int], tags: Sequence[NDArray[np.int64]]
    ) -> NDArray[np.float64]:
        """Linguistic features of a sentence, kept for when it comes again with other triplets."""
        key = encoded.tobytes(), gap, sorted(names)
        if self._last is None or self._last[0] != key:
            tables = linguistic_tables(*self._table, encoded, gap, np.array(names, np.int64), *tags)
            self._last = key, list(names), tables
        _, names_of_tables, tables = self._last
        return tables if names_of_tables == names else tables[[names_of_tables.index(name) for name in names]]

    def _needed(
        self,
        referring: Sequence[tuple[int, list[int]]],
        context: Context,
        names: int,
        name_of_item: NDArray[np.int64],
        related: NDArray[np.uint8],
    ) -> NDArray[np.uint8]:
        """[N, R, R] bits: the kinds that may hold between two words when the gap has a name."""
        needed = np.zeros((names, len(referring), len(referring)), np.uint8)
        if not self.context:
            return needed
        items = np.concatenate([options for _, options in referring])
        starts = np.cumsum([0, *(len(options) for _, options in referring)])[:-1]
        either = np.bitwise_or.reduceat(related[items], starts, axis=0)  # [R, I], of any item of a word
        needed[:] = np.bitwise_or.reduceat(either[:, items], starts, axis=1)
        for name in range(names):  # of those items alone that have the name, where the gap is an end
            named_items = np.flatnonzero(name_of_item == name)
            from_gap = np.bitwise_or.reduce(related[named_items], axis=0)  # [I]
            needed[name, 0] = np.bitwise_or.reduceat(from_gap[items], starts)
            needed[name, :, 0] = np.bitwise_or.reduce(either[:, named_items], axis=1)
            needed[name, 0, 0] = np.bitwise_or.reduce(from_gap[named_items])
        return needed

    def save(self, folder: str | Path) -> None:
        """Write `config.json` and `model.safetensors`; the folder appears whole or not at all."""
        with new_folder(folder) as partial:
            config = {"context": self.context, "next_to": self.next_to, "words": self.words, "tags": self.tags}
            write_json(partial / "config.json", config)
            save_file({"keys": self.keys, "weights": self.weights}, partial / "model.safetensors")

    @classmethod
    def from_folder(cls, folder: str | Path) -> "ContextParser":
        """Read what `save` wrote; InputError where there is no such model, or it is damaged."""
        folder = Path(folder)
        try:
            config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
            arrays = load_file(folder / "model.safetensors")
            return cls(
                *(config["words"], config["tags"], arrays["keys"], arrays["weights"]),
                context=config["context"],
                next_to=config["next_to"],
            )
        except FileNotFoundError as error:
            raise InputError(f"{error.filename}: there is no such file, so {folder} holds no parser") from None
        except OSError as error:
            raise InputError(f"{folder}: the parser cannot be read ({in_one_line(error)})") from None
        except (KeyError, ValueError, SafetensorError) as error:
            raise InputError(
                f"{folder}: this is no parser of the present code ({in_one_line(error)}); train it again"
            ) from None


def hidden(words: Sequence[Word]) -> list[Word]:
    """The words without what a gap gives away: its lemma, its tags and its references."""
    return [Word(GAP, GAP, GAP, GAP, 0, "") if word.form == GAP else word for word in words]


def numbered(values: Sequence[str], limit: int, what: str) -> dict[str, int]:
    """Distinct values -> numbers from `features.RESERVED`; InputError where there are more than `limit`."""
    distinct = dict.fromkeys(values)
    if len(distinct) + RESERVED > limit:
        raise InputError(
            f"expected at most {limit - RESERVED:,} different {what}, found {len(distinct):,}; take less text"
        )
    return {value: number for number, value in enumerate(distinct, start=RESERVED)}


def vocabularies(sentences: Sequence[SceneSentence]) -> tuple[dict[str, int], dict[str, int]]:
    """The words (forms and lemmas) and the tags (fine and coarse) of sentences, numbered."""
    words = [value for sentence in sentences for word in sentence.words for value in (word.form, word.lemma)]
    tags = [value for sentence in sentences for word in sentence.words for value in (word.tag, word.coarse)]
    return numbered(words, MAX_WORDS, "words"), numbered(tags, MAX_TAGS, "tags")


def encode(words: Sequence[Word], known_words: Mapping[str, int], known_tags: Mapping[str, int]) -> NDArray[np.int64]:
    """Numbers of the forms, lemmas, tags and coarse tags of the root and the words: [4, n + 1].

    Raises:
        InputError: the sentence is too long for the table of features.
    """
    if len(words) > MAX_SENTENCE_WORDS:
        raise InputError(f"expected a sentence of at most {MAX_SENTENCE_WORDS} words, found {len(words)}")
    return np.array(
        [
            [ROOT, *(numbers.get(value, UNKNOWN) for value in values)]
            for numbers, values in (
                (known_words, [word.form for word in words]),
                (known_words, [word.lemma for word in words]),
                (known_tags, [word.tag for word in words]),
                (known_tags, [word.coarse for word in words]),
            )
        ],
        np.int64,
    )
