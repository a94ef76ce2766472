"""Train the chunk level from the word level, once per seed.

data/models/hrrlm/<variant>, data/corpora/<corpus with chunks> -> data/models/hrrlm/chunks/seed-<s>/.
"""

import shutil

from repline.files import new_folder
from repline.systems.hrrlm import settings
from repline.systems.hrrlm.chunk_training import train_chunks
from stages import run, threads
from stages.hrrlm import places


def main() -> None:
    chosen = settings.load()
    knobs = settings.chunks(chosen, train_chunks)
    corpus = places.chunk_view(chosen)
    checkpoints = []
    with new_folder(places.MODELS / "chunks") as folder:
        for seed, words in zip(chosen.seeds, places.runs(chosen.vectors, chosen), strict=True):
            checkpoints += [
                train_chunks(
                    words,
                    corpus,
                    folder / f"seed-{seed}",
                    "data/scratch",
                    seed=seed,
                    threads=threads(),
                    **knobs,
                )
            ]
    for scratch in checkpoints:
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    run(main)
