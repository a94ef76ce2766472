"""Synthetic picture sets: words whose pictures are drawn around prototypes, tightly or loosely by part of speech.

A concept is a prototype: some coloured shapes on a coloured ground. A word has concepts of its own, one for each of its
meanings, which all languages draw; a picture of it shows one of them, disturbed by `spread`, or, with the probability
`shared`, one of a few concepts that the words of its part of speech have in common. A language has a style: it tints
all its pictures. So how hard a part of speech is to translate is set here, and known.
"""

import io
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from repline.cards import Card, write_card
from repline.corpora.pictures.recipes import DrawnSets, Kind
from repline.errors import InputError
from repline.files import new_folder
from repline.lexicons.wordnet.synsets import WordNet

SHAPES = 4  # of a prototype
COLUMNS = 8  # of a shape: kind, x, y, width, height, red, green, blue; each 0 to 1
KINDS = 3  # ellipse, rectangle, triangle
TINT = 0.12  # how far a language's style moves a colour, at most
STAMP = (1980, 1, 1, 0, 0, 0)  # of the files in the zips
WORDNET = {"noun": "n", "verb": "v", "adjective": "a"}  # codes of WordNet
CODES = {"noun": "N", "verb": "V", "adjective": "A"}  # in lists of words


def draw_sets(
    folder: str | Path,
    wordnet: WordNet,
    frequency: Mapping[str, float],
    recipe: DrawnSets,
) -> Card:
    """Write `<language>.zip` with `<word>/<number>.png`, and `words_<first>_<other>.txt` for each other language.

    Words of the first language are the commonest ones of WordNet that are mostly of one part of speech; in another
    language a word is the same with the language after it.

    Args:
        folder: replaces what was there; it appears whole or not at all.
        frequency: of words.
        recipe: the languages, how many words of each part of speech, and how they are drawn.

    Returns:
        the card.

    Raises:
        InputError: too few words.
    """
    commonest = sorted(sorted(frequency), key=frequency.__getitem__, reverse=True)  # of equal ones in their order
    words = {kind: common_words(wordnet, commonest, kind, of.words) for kind, of in recipe.kinds.items()}
    source, *other_languages = recipe.languages
    with new_folder(folder) as partial:
        for number, language in enumerate(recipe.languages):
            tint = np.random.default_rng([recipe.seed, 1, number]).uniform(-TINT, TINT, 3)
            with zipfile.ZipFile(partial / f"{language}.zip", "w") as archive:
                for kind in recipe.kinds:
                    for word, shown in _sets(recipe, kind, number):
                        name = words[kind][word] if number == 0 else f"{words[kind][word]}.{language}"
                        for picture_number, prototype in enumerate(shown):
                            png = _png(picture(prototype, recipe.edge, tint))
                            archive.writestr(zipfile.ZipInfo(f"{name}/{picture_number}.png", STAMP), png)
        for language in other_languages:
            lines = [
                f"{spelling}\t{spelling}.{language}\t{CODES[kind]}\n"
                for kind, words_of_kind in words.items()
                for spelling in words_of_kind
            ]
            (partial / f"words_{source}_{language}.txt").write_text("".join(lines), encoding="utf-8")
        total = sum(map(len, words.values()))
        return write_card(
            partial,
            name=Path(folder).name,
            description="Made pictures of words: coloured shapes drawn around prototypes, alike in all languages",
            licence="Apache-2.0; the words are WordNet's",
            sources=[],
            parameters=recipe.model_dump(),
            counts={
                "words": total,
                "languages": len(recipe.languages),
                "pictures": total * recipe.pictures * len(recipe.languages),
            },
            tools=["numpy", "pillow"],
            notes=["the pictures are made, no person took or drew them, and the other languages do not exist"],
        )


def common_words(wordnet: WordNet, commonest: Sequence[str], kind: str, number: int) -> list[str]:
    """The first of some words with more synsets of this part of speech than of any other.

    Args:
        commonest: words, the most frequent first.
        kind: the part of speech, a key of `WORDNET`.
        number: how many are wanted.

    Raises:
        InputError: there are fewer.
    """
    words = []
    for word in commonest:
        if len(word) > 2 and word.isascii() and word.isalpha():
            of = {code: len(wordnet.synsets(word, code)) for code in "nvar"}
            nouns = of.pop(WORDNET[kind])
            if nouns > max(of.values()):
                words.append(word)
        if len(words) == number:
            return words
    raise InputError(f"there are {len(words)} words that are mostly a {kind}, expected {number}; ask for fewer")


def _sets(recipe: DrawnSets, kind: Kind, language: int) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """The number of each word, and the disturbed prototypes of its pictures [pictures, 1 + SHAPES, COLUMNS]."""
    drawn, which, pictures = recipe.kinds[kind], list(CODES).index(kind), recipe.pictures
    concepts = np.random.default_rng([recipe.seed, 2, which])  # the same in all languages
    meanings = prototypes(concepts, drawn.words * drawn.concepts).reshape(drawn.words, drawn.concepts, -1, COLUMNS)
    common = prototypes(concepts, recipe.pool)
    among = concepts.integers(recipe.pool, size=(drawn.words, 2))
    rng = np.random.default_rng([recipe.seed, 3, which, language])
    for word in range(drawn.words):
        shapes = meanings[word, rng.integers(drawn.concepts, size=pictures)]  # [pictures, 1 + SHAPES, COLUMNS]
        common_shapes = common[among[word, rng.integers(2, size=pictures)]]
        shapes = np.where((rng.random(pictures) < drawn.shared)[:, None, None], common_shapes, shapes)
        disturbed = shapes + rng.normal(0, drawn.spread, shapes.shape)
        disturbed[..., 0] = shapes[..., 0]  # the kind of a shape stays
        yield word, disturbed.clip(0, 1)


def prototypes(rng: np.random.Generator, number: int) -> NDArray[np.float64]:
    """[number, 1 + SHAPES, COLUMNS]; the first row is the ground, which has a colour only."""
    return rng.random((number, 1 + SHAPES, COLUMNS))


def picture(prototype: NDArray[np.float64], size: int, tint: Sequence[float] | NDArray) -> Image.Image:
    """A prototype [1 + SHAPES, COLUMNS] as a picture of size x size pixels, its colours moved by `tint` [3]."""
    colours = np.rint(255 * (prototype[:, 5:] + np.asarray(tint)).clip(0, 1)).astype(int).tolist()
    image = Image.new("RGB", (size, size), tuple(colours[0]))
    pen = ImageDraw.Draw(image)
    for shape, colour in zip(prototype[1:], colours[1:], strict=True):
        x, y = shape[1:3] * size
        half_x, half_y = (0.1 + 0.25 * shape[3:5]) * size
        box = [round(float(edge)) for edge in (x - half_x, y - half_y, x + half_x, y + half_y)]
        match min(int(shape[0] * KINDS), KINDS - 1):
            case 0:
                pen.ellipse(box, tuple(colour))
            case 1:
                pen.rectangle(box, tuple(colour))
            case _:
                pen.polygon([(box[0], box[3]), (box[2], box[3]), (round(float(x)), box[1])], tuple(colour))
    return image


def _png(image: Image.Image) -> bytes:
    file = io.BytesIO()
    image.save(file, "PNG", compress_level=1)
    return file.getvalue()
