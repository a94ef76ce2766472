"""Words translated by their pictures, and pictures of no word yet: `repline.load(folder).translate(word)`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import ClassVar, NamedTuple, overload

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from repline.corpora.pictures import efficientnet_lite
from repline.corpora.pictures.hand_features import SIZE, at_unit_length, hand_blocks
from repline.corpora.pictures.picture_features import BATCH, HAND, NETWORK, PictureSets, decoded_pixels, read_features
from repline.corpora.pictures.picture_files import SUFFIXES
from repline.errors import InputError, in_one_line, shown
from repline.lexicons.letter_case import without_case
from repline.parameters import Json
from repline.systems.image_lexicon.image_words import WordList, of_table
from repline.systems.image_lexicon.model import Sets, match
from repline.systems.image_lexicon.translation import pictured_entries, sets_of
from repline.use.folders import RAW_INPUT, Description
from repline.use.inputs import in_batches, one_or_all, texts_of, whole_number


class Candidate(NamedTuple):
    """A word of the target language, and how alike its pictures are (AVGMAX, at most 1)."""

    word: str
    similarity: float


@dataclass(frozen=True)
class PictureTranslation:
    """The answer to one word, or to the pictures of one.

    Attributes:
        translations: the words whose pictures look most alike, the best one first; none where there is no picture.
        pictures: how many were compared.
    """

    translations: list[Candidate]
    pictures: int


class PictureTranslator:
    """The pictures of a run, by which words are translated.

    Args:
        pictures: features and sets of all languages.
        lists: of words, by target language; their translations are the candidates.
        collection: whose mean new pictures lose, as those of the source language have.
        number, seed: of the pictures of a word that are compared.
    """

    fields: ClassVar[tuple[str, ...]] = ("word",)
    optional_fields: ClassVar[tuple[str, ...]] = ("language",)

    def __init__(
        self,
        pictures: PictureSets,
        lists: Mapping[str, WordList],
        collection: str,
        number: int | None = None,
        seed: int = 0,
    ):
        self.pictures, self.lists, self.collection = pictures, dict(lists), collection
        self.number, self.seed = number, seed
        self.source, self.languages = next(iter(lists.values())).source, list(lists)
        self._targets: dict[str, tuple[list[str], Sets]] = {}

    @overload  # a str is a sequence of str, too
    def translate(  # type: ignore[overload-overlap]
        self, words: str, language: str | None = None, n: int = 5, batch: int = 64
    ) -> PictureTranslation: ...
    @overload
    def translate(
        self, words: Sequence[str], language: str | None = None, n: int = 5, batch: int = 64
    ) -> list[PictureTranslation]: ...
    def translate(
        self, words: str | Sequence[str], language: str | None = None, n: int = 5, batch: int = 64
    ) -> PictureTranslation | list[PictureTranslation]:
        """The n words whose pictures look most like those of a word, or of each of a list of words.

        Args:
            words: of the source language, in any case; a word without pictures has no translation.
            language: the target; None for the first one of `languages`.
            n: how many translations.
            batch: words that are compared at a time.

        Raises:
            InputError: `words` is neither a word nor a list of words, or there is no such language.
        """
        n = whole_number(n, "n", 0)
        answers: list[PictureTranslation] = []
        for part in in_batches(texts_of(words, "translate"), batch):
            plain = [without_case(word.strip()) for word in part]
            listed_words = list(dict.fromkeys(word for word in plain if word in self.pictures.sets[self.source]))
            translation_of: dict[str, PictureTranslation] = {}
            if listed_words:
                source = sets_of(self.pictures, self.source, listed_words, self.number, self.seed)
                translation_of = dict(zip(listed_words, self._translations(source, language, n), strict=True))
            else:
                self._target(language)
            answers += [translation_of.get(word, PictureTranslation([], 0)) for word in plain]
        return one_or_all(words, answers)

    def translate_pictures(self, folder: str | Path, language: str | None = None, n: int = 5) -> PictureTranslation:
        """The n words whose pictures look most like those in a folder.

        With hand features the pictures lose the mean of the source language's pictures, so they should be in its style.

        Args:
            folder: with the pictures of one word: PNG, JPEG, WebP, GIF or BMP.
            language: the target; None for the first one of `languages`.
            n: how many translations.

        Raises:
            InputError: there is no such folder, no picture in it, one that cannot be decoded, or the features of the
                run are of a kind that cannot be made here.
        """
        n = whole_number(n, "n", 0)
        if not isinstance(folder, str | Path) or not str(folder).strip():
            raise InputError(f'translate_pictures takes a folder: translate_pictures("my/dog"); found {shown(folder)}')
        features = self._features(Path(folder))
        source = Sets.of(features, [list(range(len(features)))])
        return self._translations(source, language, n)[0]

    def answers(self, rows: Sequence[Mapping[str, str]]) -> list[dict[str, Json]]:
        """The translations of each row's word.

        A word with a slash that is a folder, as `./dog`, is translated by the pictures in it.
        """
        answers = []
        for row in rows:
            word, language = row["word"], row.get("language") or None
            is_folder = without_case(word.strip()) not in self.pictures.sets[self.source] and _is_folder(word)
            answer = self.translate_pictures(word, language) if is_folder else self.translate(word, language)
            answers.append(asdict(answer))
        return answers

    def _translations(self, source: Sets, language: str | None, n: int) -> list[PictureTranslation]:
        words, target = self._target(language)
        similarity = match(source, target).average  # [S, T]
        order = np.argsort(-similarity, axis=1, kind="stable")[:, :n]
        return [
            PictureTranslation([Candidate(words[column], float(row[column])) for column in columns], int(size))
            for row, columns, size in zip(similarity, order, source.sizes, strict=True)
        ]

    def _target(self, language: str | None) -> tuple[list[str], Sets]:
        """The candidates of a language and their pictures."""
        name = self.languages[0] if language is None else language
        if not isinstance(name, str) or name not in self.lists:
            raise InputError(
                f"there are no pictures of the language {shown(name)}; there are {', '.join(self.languages)}"
            )
        if name not in self._targets:
            entries = pictured_entries(self.lists[name], self.pictures)
            words = list(dict.fromkeys(entry.target for entry in entries))
            self._targets[name] = words, sets_of(self.pictures, name, words, self.number, self.seed)
        return self._targets[name]

    def _features(self, folder: Path) -> NDArray[np.float32]:
        """Features [N, d] of the pictures in a folder, made as those of the run."""
        size, features = self._extractor()
        if not folder.is_dir():
            raise InputError(f"{folder}: there is no such folder of pictures")
        files = sorted(path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES)
        if not files:
            raise InputError(f"{folder}: the folder holds no picture ({', '.join(SUFFIXES)})")
        pixels = decoded_pixels(((path.read_bytes(), str(path)) for path in files), size)
        blocks = []
        while part := list(islice(pixels, BATCH)):
            blocks.append(features(np.stack(part)))
        return np.concatenate(blocks)

    def _extractor(self) -> tuple[int, Callable[[NDArray[np.uint8]], NDArray[np.float32]]]:
        """The edge of a picture in pixels, and what makes features of pictures of that size."""
        if self.pictures.kind == HAND.kind and self.collection in self.pictures.means:
            mean = self.pictures.means[self.collection]
            return SIZE, lambda pixels: at_unit_length(hand_blocks(pixels) - mean)
        network = self.pictures.folder / NETWORK if self.pictures.folder else None
        if network is not None and network.is_dir():
            return efficientnet_lite.SIZE, efficientnet_lite.load(network).features
        raise InputError(
            f"the features of this run ({self.pictures.kind}) came without what makes more of them, so that new "
            "pictures cannot be translated; make the features again"
        )


def load(description: Description) -> PictureTranslator:
    """The pictures of a run; InputError where a file is missing or damaged."""
    folder, values = description.folder, description.raw_input
    lists_path = folder / "entries.parquet"
    try:
        lists = of_table(pq.read_table(lists_path))
    except (OSError, ValueError) as error:
        raise InputError(
            f"{lists_path}: the lists of words cannot be read ({in_one_line(error)}); copy the folder again"
        ) from None
    collection, kind = values.get("collection"), values.get("features")
    if not isinstance(collection, str) or list(lists) != values.get("languages"):
        raise InputError(f"{folder / RAW_INPUT}: expected collection and languages; translate the words again")
    pictures = read_features(folder)
    return PictureTranslator(
        PictureSets(pictures.features, pictures.sets, pictures.names, kind, pictures.means, folder),
        lists,
        collection,
        values.get("pictures_of_a_word"),
        values.get("seed") or 0,
    )


def _is_folder(name: str) -> bool:
    """Whether a text names a folder by a path, and not by a word, which a folder here may be called by chance."""
    try:
        return "/" in name and Path(name).is_dir()
    except (OSError, ValueError):  # no name of a file can be so long, or hold a zero byte
        return False
