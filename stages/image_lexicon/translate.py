"""Words translated by their pictures: `python -m stages.image_lexicon.translate made`.

features of pictures, lists of words -> data/models/image_lexicon/<run>: the lists, every word's rank, how much each set
varies, and how well the features find one thing in two drawings
"""

from repline.corpora.pictures.picture_features import read_features
from repline.reading.wrong_records import LeftOut
from repline.systems.image_lexicon.image_words import read_lists
from repline.systems.image_lexicon.settings import load
from repline.systems.image_lexicon.translation import write_run
from stages import run
from stages.argument import argument
from stages.folders import DATA, MODELS


def main() -> None:
    runs = load().runs
    name = argument("the name of a run", runs)
    recipe, left_out = runs[name], LeftOut(runs[name].on_error)
    pictures = read_features(DATA / recipe.features)
    lists = read_lists(DATA / recipe.lists, **recipe.arguments(left_out))
    write_run(MODELS / "image_lexicon" / name, pictures, lists, recipe, notes=left_out.notes(), progress=print)


if __name__ == "__main__":
    run(main)
