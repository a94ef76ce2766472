"""Raw texts of several languages: `encode(texts)`, `similarity(a, b)`, and `translate(texts, language)`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from repline.corpora.parallel.multiway import text_splitter
from repline.corpora.parallel.recipes import Tokens
from repline.errors import InputError, shown
from repline.parameters import Json
from repline.pretrained import pretrained
from repline.systems.multilingual_seq2seq.encoding import embed
from repline.systems.multilingual_seq2seq.model import MultilingualEncoderDecoder
from repline.systems.multilingual_seq2seq.translation import translations
from repline.systems.multilingual_seq2seq.vocabulary import END, UNKNOWN
from repline.use.folders import RAW_INPUT, Description
from repline.use.inputs import in_batches, one_or_all, texts_of, whole_number
from repline.use.text_encoder import TextEncoder


class NumberedText(NamedTuple):
    """A text as the model reads it: its language, the numbers of its words, and how many of them are known."""

    language: str
    ids: list[int]
    known_words: int


class MultilingualEncoder(TextEncoder):
    """Vectors of texts in any language of the model, and translations between these languages.

    A text is read as the language that knows the largest share of its words, by the way that language is split in; of
    equal ones the first.

    Args:
        model: of either kind; a bag of words does not translate.
        tokens: by language, of what a text is a sequence; None for the default of the language.
        lower: whether tokens are in lower case.
        longest: tokens of a text that are read, the first ones.
    """

    optional_fields: ClassVar[tuple[str, ...]] = ("language",)

    def __init__(
        self, model: MultilingualEncoderDecoder, tokens: Mapping[str, Tokens | None], lower: bool, longest: int
    ):
        self.model, self.longest, self.dimensions = model, longest, model.size
        self.languages = model.languages
        specials = END + 1 + len(model.languages)
        self.number = {word: number for number, word in enumerate(model.words) if number >= specials}
        self.tokens, self.lower = dict(tokens), lower
        self._split = self._splitters()
        self._words_of = {language: frozenset(model.rows[language]) - {UNKNOWN, END} for language in self.languages}
        self._blank = {
            language: "" if kind == "characters" or language in ("zh", "ja") else " "
            for language, kind in tokens.items()
        }

    def __getstate__(self) -> dict[str, Any]:
        """The attributes without the splitters, which a copy makes again: a segmenter cannot be pickled."""
        return {name: value for name, value in vars(self).items() if name != "_split"}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        vars(self).update(state)
        self._split = self._splitters()

    def _splitters(self) -> dict[str, Callable[[str], list[str]]]:
        """By language, what splits a raw text."""
        return {language: text_splitter(language, self.tokens.get(language), self.lower) for language in self.languages}

    def language_of(self, texts: str | Sequence[str]) -> str | list[str]:
        """The language that a text, or each of a list of texts, is read as."""
        return one_or_all(texts, [self._numbered(text).language for text in texts_of(texts, "language_of")])

    def _vectors(self, texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
        numbered = [self._numbered(text) for text in texts]
        known_words = np.array([text.known_words for text in numbered], np.int64)
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        rows: NDArray[np.int64] = np.flatnonzero(known_words)
        if len(rows):
            vectors[rows] = embed(self.model, [numbered[row].ids for row in rows.tolist()])
        return vectors, known_words

    @overload  # a str is a sequence of str, too
    def translate(self, texts: str, language: str | None = None, beam: int = 5, batch: int = 64) -> str: ...  # type: ignore[overload-overlap]
    @overload
    def translate(
        self, texts: Sequence[str], language: str | None = None, beam: int = 5, batch: int = 64
    ) -> list[str]: ...
    def translate(
        self, texts: str | Sequence[str], language: str | None = None, beam: int = 5, batch: int = 64
    ) -> str | list[str]:
        """The translation of a raw text, or of each of a list of texts, through their vectors alone.

        Args:
            texts: in any language of the model.
            language: to translate into; of a model of two languages None is the one that a text is not in.
            beam: hypotheses of the search; 1 is greedy.
            batch: texts that are in memory as numbers at a time.

        Returns:
            "" for a text without a known word, and where the decoder ends before a first word, as one of little
            training may: then that is the best of the hypotheses that ended.

        Raises:
            InputError: the model is a bag of words, or does not know the language; `texts` is neither a text nor a list
                of texts.
        """
        beam, parts = whole_number(beam, "beam", 1), in_batches(texts_of(texts, "translate"), batch)
        if self.model.kind == "bag":
            raise InputError("this model is a bag of words, which does not write sentences; take one of kind lstm")
        if language is None and len(self.languages) != 2:
            raise InputError(f"translate takes a language to translate into: one of {', '.join(self.languages)}")
        if language is not None and language not in self.languages:
            raise InputError(f"there is no language {shown(language)} here; there are {', '.join(self.languages)}")
        answers: list[str] = []
        for part in parts:
            answers += self._translated(part, language, beam)
        return one_or_all(texts, answers)

    def answers(self, rows: Sequence[Mapping[str, str]]) -> list[dict[str, Json]]:
        """The vector of each row's text, and its translation; null where no language is given."""
        return [
            answer | {"translation": self.translate(row["text"], row["language"]) if row.get("language") else None}
            for row, answer in zip(rows, super().answers(rows), strict=True)
        ]

    def _numbered(self, text: str) -> NumberedText:
        candidates = [self._as_language(text, language) for language in self.languages]
        return max(candidates, key=lambda candidate: candidate[0])[1]  # the first of equal ones

    def _as_language(self, text: str, language: str) -> tuple[float, NumberedText]:
        ids = [self.number.get(token, UNKNOWN) for token in self._split[language](text)[: self.longest]]
        share = sum(number in self._words_of[language] for number in ids) / max(len(ids), 1)
        return share, NumberedText(language, ids, sum(number != UNKNOWN for number in ids))

    def _other_language(self, language: str) -> str:
        return next(candidate for candidate in self.languages if candidate != language)

    def _translated(self, texts: Sequence[str], language: str | None, beam: int) -> list[str]:
        numbered = [self._numbered(text) for text in texts]
        answers = [""] * len(texts)
        for target in self.languages:
            rows = [
                row
                for row, text in enumerate(numbered)
                if text.known_words and (language or self._other_language(text.language)) == target
            ]
            written = translations(self.model, [numbered[row].ids for row in rows], target, beam) if rows else []
            for row, words in zip(rows, written, strict=True):
                answers[row] = self._blank[target].join(words)
        return answers


def load(description: Description) -> MultilingualEncoder:
    """The model of a folder that `training.train` wrote; InputError where a part is missing or damaged."""
    folder, raw_input = description.folder, description.raw_input
    try:
        options = {key: raw_input[key] for key in ("tokens", "lower", "longest")}
    except KeyError as error:
        raise InputError(f"{folder / RAW_INPUT}: {error} is missing; copy the folder again") from None
    return MultilingualEncoder(pretrained(MultilingualEncoderDecoder, folder), **options)
