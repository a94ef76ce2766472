"""Captions from raw input: `caption(tags)` of what is on a picture, or `caption(features)` of a network that saw it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from repline.corpora.captions.picture import caption_words
from repline.corpora.captions.tag_counts import count_tags
from repline.errors import InputError
from repline.parameters import Json
from repline.pretrained import pretrained
from repline.systems.tpgn.corpus import sentences
from repline.systems.tpgn.decoding import generate
from repline.systems.tpgn.model import TPGN, CaptionGenerator, CaptionLSTM
from repline.use.folders import RAW_INPUT, Description
from repline.use.inputs import in_batches, one_or_all, texts_of, whole_number

KINDS: dict[str, type[TPGN] | type[CaptionLSTM]] = {"tpgn": TPGN, "lstm": CaptionLSTM}
COUNTED = ("tags", "co_captions", "given")


@dataclass(frozen=True)
class Caption:
    """The answer to one picture.

    Attributes:
        caption: words with a blank between; "" where no tag is known.
        known_words: tags of the picture that the model knows; of features those that are not 0.
        unknown: tags that it does not know.
    """

    caption: str
    known_words: int
    unknown: list[str]


class CountedPictures(NamedTuple):
    """Features of pictures [N, n], and of each picture the number of known tags and the unknown ones."""

    features: NDArray[np.float32]
    known_tags: list[int]
    unknown: list[list[str]]


class Captioner:
    """Writes captions of pictures.

    Args:
        model: of either kind.
        vocabulary: the word of each number.
        counted: what its features are: counts of `tags`, of the words in other captions (co_captions), or numbers of
            any network (given).
        tags: what the features count [n].
        longest: words of a caption.
    """

    optional_fields: tuple[str, ...] = ()

    def __init__(
        self, model: CaptionGenerator, vocabulary: Sequence[str], counted: str, tags: Sequence[str], longest: int
    ):
        self.model, self.vocabulary, self.counted, self.longest = model, list(vocabulary), counted, longest
        self.tags = list(tags)
        self.fields: tuple[str, ...] = ("features",) if counted == "given" else ("tags",)
        self._known = frozenset(tags)
        self._most_commas = max((tag.count(",") for tag in tags), default=0)

    @overload  # a str is a sequence of str, too
    def caption(self, pictures: str, beam: int = 1, batch: int = 250) -> Caption: ...  # type: ignore[overload-overlap]
    @overload
    def caption(
        self, pictures: Sequence[str] | NDArray[np.floating], beam: int = 1, batch: int = 250
    ) -> list[Caption]: ...
    def caption(
        self, pictures: str | Sequence[str] | NDArray[np.floating], beam: int = 1, batch: int = 250
    ) -> Caption | list[Caption]:
        """The caption of a picture, or of each of several pictures.

        Args:
            pictures: the tags of a picture with commas between, such as "dog, grass", or a list of these. A tag may
                have commas in it where training had it so. Where the features are words of captions, another caption
                of the picture. Or features, an array [N, n].
            beam: hypotheses of the search; 1 is greedy.
            batch: pictures that are in memory as numbers at a time.

        Raises:
            InputError: `pictures` is none of these, or the model reads features and gets tags.
        """
        beam = whole_number(beam, "beam", 1)
        if isinstance(pictures, np.ndarray):
            return self._captions(self._checked(pictures), beam, batch)
        if self.counted == "given":
            raise InputError(
                f"this model reads features of pictures: a NumPy array [pictures, {self._features}], and no tags"
            )
        texts = texts_of(pictures, "caption")
        answers: list[Caption] = []
        for part in in_batches(texts, batch):
            answers += self._captions(self._counted(part), beam, batch)
        return one_or_all(pictures, answers)

    def tags_of(self, text: str) -> list[str]:
        """The tags of a raw text as in training, or the words of a caption.

        Tags stand between commas. A known tag may have commas in it, as "Paris, France": of tags that begin at one
        place of the text the longest known one counts.
        """
        if self.counted == "co_captions":
            return caption_words(text.replace(",", " "))
        parts, tags, start = text.split(","), list[str](), 0
        while start < len(parts):
            most = min(self._most_commas + 1, len(parts) - start)
            longer = (
                size for size in range(most, 1, -1) if ",".join(parts[start : start + size]).strip() in self._known
            )
            end = start + next(longer, 1)
            tags.append(",".join(parts[start:end]).strip())
            start = end
        return [tag for tag in tags if tag]

    def answers(self, rows: Sequence[Mapping[str, str]]) -> list[dict[str, Json]]:
        """The caption of each row's tags; of features they are numbers with blanks between."""
        if self.counted != "given":
            return [asdict(answer) for answer in self.caption([row["tags"] for row in rows])]
        try:
            features = np.array([[float(number) for number in row["features"].split()] for row in rows], np.float32)
        except ValueError:
            raise InputError(
                f"expected {self._features} numbers with blanks between as features, found other text"
            ) from None
        return [asdict(answer) for answer in self.caption(features)]

    @property
    def _features(self) -> int:
        return len(self.model.mean)

    def _counted(self, texts: Sequence[str]) -> CountedPictures:
        tags = [self.tags_of(text) for text in texts]
        known_tags = [[tag for tag in picture_tags if tag in self._known] for picture_tags in tags]
        unknown = [[tag for tag in picture_tags if tag not in self._known] for picture_tags in tags]
        return CountedPictures(count_tags(known_tags, self.tags), list(map(len, known_tags)), unknown)

    def _checked(self, features: NDArray[np.floating]) -> CountedPictures:
        matrix = np.atleast_2d(features)
        fits = matrix.ndim == 2 and matrix.shape[1] == self._features
        if not fits or matrix.dtype.kind not in "biuf" or not np.isfinite(matrix).all():
            raise InputError(
                f"expected features as finite numbers [pictures, {self._features}], found an array {features.shape} of "
                f"{features.dtype}"
            )
        return CountedPictures(
            matrix.astype(np.float32), np.count_nonzero(matrix, axis=1).tolist(), [[] for _ in matrix]
        )

    def _captions(self, pictures: CountedPictures, beam: int, batch: int) -> list[Caption]:
        answers = [Caption("", number, unknown) for number, unknown in zip(*pictures[1:], strict=True)]
        rows = np.flatnonzero(np.array(pictures.known_tags) > 0)
        for part in in_batches(rows.tolist(), batch):
            numbers = generate(self.model, pictures.features, np.array(part), beam=beam, longest=self.longest)
            for row, words in zip(part, sentences(numbers, self.vocabulary), strict=True):
                answers[row] = Caption(" ".join(words), pictures.known_tags[row], pictures.unknown[row])
        return answers


def load(description: Description) -> Captioner:
    """The model of a folder that `training.train` wrote; InputError where a part is missing or damaged."""
    folder, raw_input = description.folder, description.raw_input
    if description.kind not in KINDS or raw_input.get("counted") not in COUNTED:
        raise InputError(f"{folder}: expected {' or '.join(KINDS)} that reads {', '.join(COUNTED)}; copy it again")
    try:
        options = {key: raw_input[key] for key in ("vocabulary", "counted", "tags", "longest")}
    except KeyError as error:
        raise InputError(f"{folder / RAW_INPUT}: {error} is missing; copy the folder again") from None
    return Captioner(pretrained(KINDS[description.kind], folder), **options)
