"""The folder that a run keeps to translate further words and pictures: features, sets, and how features are made."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from repline.corpora.pictures.picture_features import FEATURES, MEANS, NETWORK, PICTURES, SETS, PictureSets
from repline.files import link_or_copy
from repline.systems.image_lexicon.image_words import WordList
from repline.systems.image_lexicon.settings import Methods
from repline.use.folders import describe


def describe_pictures(folder: Path, pictures: PictureSets, lists: Mapping[str, WordList], methods: Methods) -> None:
    """Keep the files of the features in the folder of a run; features in memory alone are not kept.

    Args:
        folder: of the run.
        pictures: of the words.
        lists: by target language.
        methods: how many pictures of a word are compared, and which are drawn.
    """
    if pictures.folder is None:
        return
    for name in (FEATURES, PICTURES, SETS, MEANS):
        if (pictures.folder / name).exists():
            link_or_copy(pictures.folder / name, folder / name)
    for path in sorted((pictures.folder / NETWORK).glob("*")):
        (folder / NETWORK).mkdir(exist_ok=True)
        link_or_copy(path, folder / NETWORK / path.name)
    source = next(iter(lists.values())).source
    rows = [row for rows_of_word in pictures.sets[source].values() for row in rows_of_word]
    collections = Counter(pictures.names[row][0] for row in rows)
    describe(
        folder,
        "image_lexicon",
        "pictures",
        {
            "features": pictures.kind,
            "source": source,
            "collection": max(collections, key=lambda name: collections[name]),
            "languages": list(lists),
            "pictures_of_a_word": methods.most,
            "seed": methods.seed,
        },
    )
