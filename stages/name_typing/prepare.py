"""Select the names of the label set that have a vector in a space: `python -m stages.name_typing.prepare glove`.

data/<labels>, data/<vectors> -> data/corpora/name_typing/<space>
"""

from repline.systems.name_typing.corpus import write_data
from repline.systems.name_typing.settings import load
from stages import run
from stages.argument import argument
from stages.folders import CORPORA, DATA


def main() -> None:
    settings = load()
    name = argument("a space of name_typing.spaces", settings.spaces)
    folder = CORPORA / "name_typing" / name
    card = write_data(folder, DATA / settings.labels, DATA / settings.spaces[name].vectors, settings.sizes)
    print(f"{folder}: " + ", ".join(f"{count:,} {what.replace('_', ' of ')}" for what, count in card["counts"].items()))


if __name__ == "__main__":
    run(main)
