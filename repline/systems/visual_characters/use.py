"""Models of drawn characters on raw text: vectors and glosses of characters, tagged words, translations.

`repline.load` gives a `CharacterVectors`, a `TextTagger` or a `TextTranslator`, by the kind of the folder.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import ClassVar, NamedTuple, overload

import numpy as np
import torch
from pydantic import ValidationError
from safetensors import SafetensorError
from safetensors.torch import load_file

from repline.corpora.chunks.tag_spans import spans
from repline.errors import InputError, in_one_line, shown
from repline.parameters import Json
from repline.pretrained import pretrained
from repline.systems.visual_characters.character_pictures import CharacterNumbers, read_characters
from repline.systems.visual_characters.encoders import CharacterEncoder
from repline.systems.visual_characters.glosses.gloss_model import GlossModel
from repline.systems.visual_characters.settings import Decoding
from repline.systems.visual_characters.tagging.tagger import ENCODER, Tagger
from repline.systems.visual_characters.translation.translator import Translator
from repline.use.folders import RAW_INPUT, Description
from repline.use.inputs import in_batches, one_or_all, text_of, texts_of, whole_number
from repline.use.word_space import WordVectors


class Gloss(NamedTuple):
    """An English word of a definition, and its probability."""

    gloss: str
    probability: float


class CharacterVectors(WordVectors):
    """The vectors of characters, and of words as the mean of their characters; glosses of them.

    A character that the model was not saved with is drawn: with the font that a method is given, or the installed one.

    Args:
        model: with the characters' numbers.
        numbers: of its encoder.
        glosses: names of the G glosses.
    """

    def __init__(self, model: GlossModel, numbers: CharacterNumbers, glosses: Sequence[str]):
        super().__init__(list(numbers.saved), model.encoder.cached_table().numpy()[list(numbers.saved.values())])
        self.model, self.numbers, self.gloss_names = model, numbers, list(glosses)

    @torch.no_grad()
    def composed(self, word: str, font: str | Path | None = None) -> np.ndarray | None:
        """The vector [d] of a character or a word; None where a character of it can be neither looked up nor drawn."""
        characters = self.spelled(word)
        if not characters:
            return None
        if font is not None:
            drawn = self.numbers.draw(sorted(set(characters)), font)
            if self.model.encoder.table is None and set(characters) <= drawn.keys():
                pixels = torch.from_numpy(np.stack([drawn[character] for character in characters]))
                return self.model.encoder.encode_pixels(pixels).mean(0).numpy()
        numbers = self.numbers.known([characters], font)
        if set(characters) - numbers.keys():
            return None
        return self.model.word_vectors(self.numbers.ids([characters], numbers))[0].numpy()

    def spelled(self, word: str) -> str:
        """The word without blanks."""
        return "".join(word.split())

    def vector(self, word: str, font: str | Path | None = None) -> np.ndarray:
        """The vector of a character or a word, float32 [d].

        Args:
            word: a character or a word, also one that training never saw.
            font: a font file, with which every character is drawn, also those that the model has pictures of.

        Raises:
            InputError: a character of it cannot be drawn, or is not in the model's table; or `word` is no str.
        """
        vector = self.composed(text_of(word, "vector", "word"), font)
        if vector is None and not self.spelled(word):
            raise InputError(f"{shown(word)} has no vector: it is empty")
        if vector is None:
            reason = (
                "the model has no picture of all its characters, and no font at hand has them; name one that does, as "
                "vector(word, font=FILE)"
                if self.model.encoder.reads_pixels
                else "the model is a table of the characters that training had twice or more, and reads no pixels"
            )
            raise InputError(f"{shown(word)} has no vector: {reason}")
        return vector

    @overload  # a str is a sequence of str, too
    def glosses(self, words: str, n: int = 5, batch: int = 256) -> list[Gloss]: ...  # type: ignore[overload-overlap]
    @overload
    def glosses(self, words: Sequence[str], n: int = 5, batch: int = 256) -> list[list[Gloss]]: ...
    @torch.no_grad()
    def glosses(self, words: str | Sequence[str], n: int = 5, batch: int = 256) -> list[Gloss] | list[list[Gloss]]:
        """The n most probable words of the definition of a word, or of each of a list of words.

        A word without a known character has the frequencies of the glosses in training.
        """
        n = whole_number(n, "n", 0)
        answers: list[list[Gloss]] = []
        for part in in_batches(texts_of(words, "glosses"), batch):
            spelled = list(map(self.spelled, part))
            ids = self.numbers.ids(spelled, self.numbers.known(spelled))
            ids = torch.nn.functional.pad(ids.where(ids != self.numbers.blank, 0), (0, 1))  # one place at least
            probabilities, numbers = self.model(ids).exp().topk(min(n, len(self.gloss_names)), dim=1)
            answers += [
                [Gloss(self.gloss_names[number], chance) for number, chance in zip(row, chances, strict=True)]
                for row, chances in zip(numbers.tolist(), probabilities.tolist(), strict=True)
            ]
        return one_or_all(words, answers)

    def answers(self, rows: Sequence[Mapping[str, str]]) -> list[dict[str, Json]]:
        """The vector of each row's word, the nearest characters, and its glosses."""
        glosses = self.glosses([row["word"] for row in rows])
        return [
            answer | {"glosses": [[gloss, round(chance, 4)] for gloss, chance in word_glosses]}
            for answer, word_glosses in zip(super().answers(rows), glosses, strict=True)
        ]


class TaggedWord(NamedTuple):
    """A word of a text and its part of speech."""

    word: str
    tag: str


@dataclass(frozen=True)
class TaggedText:
    """The answer to one text.

    Attributes:
        words: of the text, with their tags.
        unknown: characters that could be neither looked up nor drawn.
    """

    words: list[TaggedWord]
    unknown: list[str]


class TextTagger:
    """A tagger that takes raw Chinese texts; blanks separate nothing, and are left out.

    Args:
        model: the tagger.
        numbers: of its encoder; of the encoder that made its vectors where they are fixed.
    """

    fields: ClassVar[tuple[str, ...]] = ("text",)
    optional_fields: ClassVar[tuple[str, ...]] = ()

    def __init__(self, model: Tagger, numbers: CharacterNumbers):
        self.model, self.numbers = model, numbers

    @overload  # a str is a sequence of str, too
    def tag(self, texts: str, font: str | Path | None = None, batch: int = 64) -> TaggedText: ...  # type: ignore[overload-overlap]
    @overload
    def tag(self, texts: Sequence[str], font: str | Path | None = None, batch: int = 64) -> list[TaggedText]: ...
    @torch.no_grad()
    def tag(
        self, texts: str | Sequence[str], font: str | Path | None = None, batch: int = 64
    ) -> TaggedText | list[TaggedText]:
        """The words of a raw text with their tags, or of each of a list of texts.

        Args:
            texts: of any length and any number.
            font: a font file for characters that the model has no picture of.
            batch: texts that are in memory as numbers at a time.

        Raises:
            InputError: `texts` is neither a text nor a list of texts.
        """
        answers: list[TaggedText] = []
        for part in in_batches(texts_of(texts, "tag"), batch):
            answers += self._tagged(["".join(text.split()) for text in part], font)
        return one_or_all(texts, answers)

    def answers(self, rows: Sequence[Mapping[str, str]]) -> list[dict[str, Json]]:
        """The tagged words of each row's text."""
        return [asdict(answer) for answer in self.tag([row["text"] for row in rows])]

    def _tagged(self, texts: Sequence[str], font: str | Path | None) -> list[TaggedText]:
        filled = [text for text in texts if text]
        labels: list[list[str]] = []
        numbers = self.numbers.known(filled, font)
        if filled:
            ids = self.numbers.ids(filled, numbers)
            if self.model.encoder is None:
                self._extend_vectors()
            labels = self.model.tag(ids)
        by_text = iter(labels)
        return [
            TaggedText(
                [TaggedWord(text[start:end], tag) for tag, start, end in spans(next(by_text))] if text else [],
                sorted(set(text) - numbers.keys()),
            )
            for text in texts
        ]

    def _extend_vectors(self) -> None:
        """Encode the characters that were appended since, for a tagger whose vectors are a fixed table."""
        here, encoder = len(self.model.vectors), self.numbers.encoder
        further = torch.arange(here, len(encoder.known))
        if len(further):
            self.model.vectors = torch.cat([self.model.vectors, encoder.encode(further)])


@dataclass(frozen=True)
class Translation:
    """The answer to one text.

    Attributes:
        translation: English words in lower case, with blanks between them; empty for a text without a character that
            the model was saved with or that could be drawn.
        unknown: characters that could be neither looked up nor drawn; a table reads them all as its unknown character,
            also those that training had once.
    """

    translation: str
    unknown: list[str]


class TextTranslator:
    """A translator that takes raw Chinese texts; blanks are left out, as there are none in training.

    Args:
        model: the translator.
        numbers: of its encoder.
        decoding: how it translates; as it was saved with, that of its evaluation.
    """

    fields: ClassVar[tuple[str, ...]] = ("text",)
    optional_fields: ClassVar[tuple[str, ...]] = ()

    def __init__(self, model: Translator, numbers: CharacterNumbers, decoding: Decoding):
        self.model, self.numbers, self.decoding = model, numbers, decoding

    @overload  # a str is a sequence of str, too
    def translate(  # type: ignore[overload-overlap]
        self, texts: str, *, beam: int | None = None, font: str | Path | None = None, batch: int = 32
    ) -> Translation: ...
    @overload
    def translate(
        self, texts: Sequence[str], *, beam: int | None = None, font: str | Path | None = None, batch: int = 32
    ) -> list[Translation]: ...
    def translate(
        self, texts: str | Sequence[str], *, beam: int | None = None, font: str | Path | None = None, batch: int = 32
    ) -> Translation | list[Translation]:
        """The English translation of a raw text, or of each of a list of texts.

        Args:
            texts: of any length and any number.
            beam: hypotheses of the search; 1 is greedy, None for those of `decoding`.
            font: a font file for characters that the model has no picture of.
            batch: texts that are in memory as numbers at a time.

        Raises:
            InputError: `texts` is neither a text nor a list of texts.
        """
        decoding = self.decoding
        if beam is not None:
            decoding = decoding.model_copy(update={"beam": whole_number(beam, "beam", 1)})
        answers: list[Translation] = []
        for part in in_batches(texts_of(texts, "translate"), batch):
            plain = ["".join(text.split()) for text in part]
            numbers = self.numbers.known(plain, font)
            shown_characters = numbers.keys() | self.numbers.bitmaps.rows.keys()
            readable = list(dict.fromkeys(text for text in plain if shown_characters & set(text)))
            written = self.model.translate(self.numbers.ids(readable, numbers), decoding) if readable else []
            translation_of = dict(zip(readable, map(" ".join, written), strict=True))
            answers += [Translation(translation_of.get(text, ""), sorted(set(text) - numbers.keys())) for text in plain]
        return one_or_all(texts, answers)

    def answers(self, rows: Sequence[Mapping[str, str]]) -> list[dict[str, Json]]:
        """The translation of each row's text."""
        return [asdict(answer) for answer in self.translate([row["text"] for row in rows])]


def load(description: Description) -> CharacterVectors | TextTagger | TextTranslator:
    """The model of a folder; InputError where it is damaged or of another kind."""
    bitmaps, folder = read_characters(description), description.folder
    match description.kind:
        case "glosses":
            model = pretrained(GlossModel, folder)
            glosses = description.raw_input.get("glosses")
            if not isinstance(glosses, list) or len(glosses) != model.output.out_features:
                raise InputError(f"{folder / RAW_INPUT}: expected a name for each gloss; copy the folder again")
            return CharacterVectors(model, CharacterNumbers(model.encoder, bitmaps), glosses)
        case "tagger":
            tagger = pretrained(Tagger, folder)
            return TextTagger(tagger, CharacterNumbers(tagger.encoder or _encoder_of(description, tagger), bitmaps))
        case "translator":
            translator = pretrained(Translator, folder)
            return TextTranslator(translator, CharacterNumbers(translator.encoder, bitmaps), _decoding_of(description))
    raise InputError(f"{folder / RAW_INPUT}: expected glosses, tagger or translator, found {shown(description.kind)}")


def _decoding_of(description: Description) -> Decoding:
    """How a translator was evaluated; the default for a folder of before this was saved."""
    try:
        return Decoding.model_validate(description.raw_input.get("decoding", {}))
    except ValidationError as error:
        raise InputError(
            f"{description.folder / RAW_INPUT}: decoding is damaged ({in_one_line(error)}); copy the folder again"
        ) from None


def _encoder_of(description: Description, tagger: Tagger) -> CharacterEncoder:
    """The encoder that made the fixed vectors of a tagger."""
    shape, path = description.raw_input.get("encoder"), description.folder / ENCODER
    try:
        encoder = CharacterEncoder(**dict(shape or {}))
        encoder.load_state_dict(load_file(path))
    except (OSError, TypeError, RuntimeError, SafetensorError) as error:
        raise InputError(f"{path}: the encoder cannot be read ({in_one_line(error)}); copy the folder again") from None
    if len(encoder.known) != len(tagger.vectors):
        raise InputError(f"{path}: expected an encoder of {len(tagger.vectors) - 1} characters; copy the folder again")
    return encoder.eval()
