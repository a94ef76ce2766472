"""Carry ratings into a second language, by aligned vectors and by a dictionary.

data/<ratings and vectors of both languages, dictionary, concepts> -> data/models/concreteness/across/seed-0
"""

from repline.reading.settings import TableReading
from repline.reading.wrong_records import LeftOut
from repline.systems.concreteness.settings import load
from repline.systems.concreteness.transfer import RatedLanguage, train_across
from repline.vectors.formats import readers
from stages import run
from stages.folders import DATA
from stages.runs import trained_runs

SEED = 0


def main() -> None:
    settings = load()
    across = settings.across
    left_out = LeftOut(across.on_error)
    reading = TableReading(on_error=left_out, encoding=across.encoding)
    source = RatedLanguage.of(*readers.read(DATA / settings.vectors), DATA / across.source, **reading)
    vectors = DATA / across.vectors
    target = RatedLanguage.of(*readers.read(vectors), DATA / across.ratings, vectors, **reading)
    with trained_runs("concreteness", "across") as runs:
        train_across(
            settings, source, target, DATA / across.dictionary, DATA / across.concepts, runs.run(SEED), left_out
        )


if __name__ == "__main__":
    run(main)
