"""Write the vectors that lexicons are fitted into: `python -m stages.extrofitting.prepare glove_6b_50d`.

data/<place of the vectors> -> data/models/extrofitting/start/<vectors>: the first words, at length one.
"""

from repline.systems.extrofitting.corpus import write_start
from repline.systems.extrofitting.settings import START, load
from stages import run
from stages.argument import argument
from stages.folders import MODELS


def main() -> None:
    settings = load()
    vectors = argument("the name of vectors", settings.vectors)
    write_start(MODELS / "extrofitting" / START / vectors, vectors, settings)


if __name__ == "__main__":
    run(main)
