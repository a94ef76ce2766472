"""Semantic roles of raw sentences: `label(sentence, predicate)`, of all predicates found where none is given."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar, overload

from repline.corpora.srl.linearisation import read_target, source_of
from repline.corpora.srl.propositions import PREDICATE
from repline.errors import InputError, shown
from repline.parameters import Json
from repline.pretrained import pretrained
from repline.segmentation import spaced
from repline.systems.srl_seq2seq.corpus import Instance
from repline.systems.srl_seq2seq.decoding import decode
from repline.systems.srl_seq2seq.model import RoleSeq2Seq
from repline.systems.srl_seq2seq.tagger import RoleTagger, tagged
from repline.use.folders import RAW_INPUT, Description
from repline.use.inputs import by_length, in_batches, one_or_all, text_of, texts_of

ROOM = 1 << 14  # words of sentences that are decoded together
KINDS: dict[str, type[RoleSeq2Seq] | type[RoleTagger]] = {"seq2seq": RoleSeq2Seq, "tagger": RoleTagger}


@dataclass(frozen=True)
class Role:
    """One argument of a predicate.

    Attributes:
        label: such as A0.
        text: its words, with a blank between.
        first, last: numbers of its first and last word, from 0.
    """

    label: str
    text: str
    first: int
    last: int


@dataclass(frozen=True)
class LabelledPredicate:
    """A predicate of a sentence and its arguments.

    Attributes:
        word: of the sentence; position: its number, from 0.
        roles: in the order of their words.
    """

    word: str
    position: int
    roles: list[Role]


@dataclass(frozen=True)
class LabelledSentence:
    """The answer to one sentence.

    Attributes:
        words: of the sentence.
        known_words: how many of them the model knows. With 0 the roles depend only on where the predicate stands.
        predicates: in the order of their words; none where none is found.
    """

    words: list[str]
    known_words: int
    predicates: list[LabelledPredicate]


class RoleLabeller:
    """Labels the arguments of predicates in raw sentences.

    Args:
        model: a decoder that writes the sentence with brackets, or a tagger.
        predicates: words, in lower case, that are predicates in most of their occurrences in training.
        language: whose rules split sentences.
        constrained: how the decoder is held to the words of the sentence, see `Decoding`.
    """

    fields: ClassVar[tuple[str, ...]] = ("sentence",)
    optional_fields: ClassVar[tuple[str, ...]] = ("predicate",)

    def __init__(
        self,
        model: RoleSeq2Seq | RoleTagger,
        predicates: Sequence[str],
        language: str = "en",
        constrained: str = "next",
    ):
        self.model, self.predicates, self.constrained = model, frozenset(predicates), constrained
        self._segment = spaced.segmenter(language)

    @overload  # a str is a sequence of str, too
    def label(self, sentences: str, predicate: str | None = None, batch: int = 64) -> LabelledSentence: ...  # type: ignore[overload-overlap]
    @overload
    def label(
        self, sentences: Sequence[str], predicate: Sequence[str | None] | None = None, batch: int = 64
    ) -> list[LabelledSentence]: ...
    def label(
        self, sentences: str | Sequence[str], predicate: str | Sequence[str | None] | None = None, batch: int = 64
    ) -> LabelledSentence | list[LabelledSentence]:
        """The arguments of a predicate in a raw sentence, or in each of a list of sentences.

        Args:
            sentences: a sentence or a list of sentences, of any length and any number.
            predicate: a word of the sentence, or several that follow each other ("turn out"); each of its occurrences
                is labelled. For a list of sentences a list of them. None: all words that are found to be predicates,
                because they were in at least half of their occurrences in training.
            batch: sentences that are in memory as numbers at a time.

        Returns:
            An empty sentence, or one in which no predicate is found, has no predicates.

        Raises:
            InputError: `sentences` is neither a sentence nor a list of sentences; a predicate is not in its sentence.
        """
        texts = texts_of(sentences, "label")
        if not isinstance(predicate, str | Sequence | None):
            raise InputError(f"label takes a word as the predicate, or a list of words; found {shown(predicate)}")
        predicates = [predicate] * len(texts) if predicate is None or isinstance(predicate, str) else list(predicate)
        if len(predicates) != len(texts) or (isinstance(predicate, str) and not isinstance(sentences, str)):
            raise InputError('label takes a predicate for each sentence: label(["He saw", "She ran"], ["saw", "ran"])')
        answers: list[LabelledSentence] = []
        for part in in_batches(list(zip(texts, predicates, strict=True)), batch):
            answers += self._labelled(part)
        return one_or_all(sentences, answers)

    def answers(self, rows: Sequence[Mapping[str, str]]) -> list[dict[str, Json]]:
        """The predicates and arguments of each row's sentence; an empty predicate is none."""
        texts = [row["sentence"] for row in rows]
        return [asdict(answer) for answer in self.label(texts, [row.get("predicate") or None for row in rows])]

    def words(self, text: str) -> list[str]:
        """The words of a raw sentence, by spaCy's rules of the language; corpora of roles come split into words."""
        return self._segment(text)["tokens"]

    def _labelled(self, part: Sequence[tuple[str, str | None]]) -> list[LabelledSentence]:
        sentences = [self.words(text) for text, _ in part]
        positions = [self._positions(words, predicate) for words, (_, predicate) in zip(sentences, part, strict=True)]
        instances = [
            Instance("", words, None, position, [])
            for words, sentence_positions in zip(sentences, positions, strict=True)
            for position in sentence_positions
        ]
        roles = iter(self._roles(instances))
        return [
            LabelledSentence(
                words,
                sum(token in self.model.number for token in source_of(words, None)),
                [LabelledPredicate(words[position], position, next(roles)) for position in sentence_positions],
            )
            for words, sentence_positions in zip(sentences, positions, strict=True)
        ]

    def _positions(self, words: Sequence[str], predicate: str | None) -> list[int]:
        lower = [word.lower() for word in words]
        if predicate is None:
            return [position for position, word in enumerate(lower) if word in self.predicates]
        if not isinstance(predicate, str):
            raise InputError(f"a predicate is a word of its sentence; found a value of type {type(predicate).__name__}")
        parts = [word.lower() for word in self.words(text_of(predicate, "label"))]
        starts = [start for start in range(len(lower)) if parts and lower[start : start + len(parts)] == parts]
        if not starts:
            raise InputError(f"there is no {shown(predicate)} in the sentence {shown(' '.join(words))}")
        return starts

    def _roles(self, instances: Sequence[Instance]) -> list[list[Role]]:
        if not instances:
            return []
        outputs: list[list[str]] = [[] for _ in instances]
        for rows in by_length([len(instance.tokens) for instance in instances], ROOM):
            part = [instances[row] for row in rows]
            if isinstance(self.model, RoleTagger):
                written = tagged(self.model, part)
            else:
                written = decode(self.model, [instance.source for instance in part], constrained=self.constrained)
            for row, output in zip(rows, written, strict=True):
                outputs[row] = output
        return [
            [
                Role(label, " ".join(instance.tokens[first : last + 1]), first, last)
                for label, first, last in read_target(output).arguments
                if label != PREDICATE
            ]
            for instance, output in zip(instances, outputs, strict=True)
        ]


def load(description: Description) -> RoleLabeller:
    """The model of a folder that `training.train` wrote; InputError where a part is missing or damaged."""
    folder, raw_input = description.folder, description.raw_input
    if description.kind not in KINDS:
        raise InputError(
            f"{folder}: expected a model of the kind {' or '.join(KINDS)}, found {shown(description.kind)}"
        )
    try:
        options = {key: raw_input[key] for key in ("predicates", "language", "constrained")}
    except KeyError as error:
        raise InputError(f"{folder / RAW_INPUT}: {error} is missing; copy the folder again") from None
    return RoleLabeller(pretrained(KINDS[description.kind], folder), **options)
