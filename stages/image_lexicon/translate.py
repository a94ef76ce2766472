"""Words translated by their pictures: `python -m stages.image_lexicon.translate made`.

features of pictures, lists of words -> data/models/image_lexicon/<run>: the lists, every word's rank, how much each set
varies, and how well the features find one thing in two drawings
"""

from pathlib import Path

import pyarrow.parquet as pq

from repline.corpora.pictures.picture_features import read_features
from repline.files import new_folder, write_json
from repline.systems.image_lexicon.image_words import as_table, read_lists
from repline.systems.image_lexicon.settings import read
from repline.systems.image_lexicon.translation import translate
from repline.systems.image_lexicon.twins import mutual_twins
from stages import run
from stages.argument import argument


def main() -> None:
    _, runs = read()
    name = argument("the name of a run", runs)
    knobs = dict(runs[name])
    pictures = read_features(Path("data") / knobs.pop("features"))
    lists = read_lists(Path("data") / knobs.pop("lists"))
    translations, dispersions = translate(pictures, lists, **knobs, progress=print)
    twins = mutual_twins(pictures)
    with new_folder(Path("data/models/image_lexicon") / name) as folder:
        pq.write_table(as_table(lists), folder / "entries.parquet", compression="zstd")
        write_json(folder / "twins.json", {"mutual": twins})
        pq.write_table(translations, folder / "translations.parquet", compression="zstd")
        pq.write_table(dispersions, folder / "dispersions.parquet", compression="zstd")


if __name__ == "__main__":
    run(main)
