"""Train the chunk level from the word level, once per seed.

data/models/hrrlm/<variant>, data/corpora/<corpus with chunks> -> data/models/hrrlm/chunks/seed-<s>/.
"""

import shutil

from repline.files import new_folder
from repline.systems.hrrlm.chunk_training import train_chunks
from stages import run, threads
from stages.hrrlm import settings


def main() -> None:
    chosen = settings.read()
    corpus = chosen.chunk_view()
    checkpoints = []
    with new_folder(settings.MODELS / "chunks") as folder:
        for seed, words in zip(chosen.seeds, settings.runs(chosen.vectors, chosen), strict=True):
            checkpoints += [
                train_chunks(
                    words,
                    corpus,
                    folder / f"seed-{seed}",
                    "data/scratch",
                    seed=seed,
                    threads=threads(),
                    **chosen.chunks,
                )
            ]
    for scratch in checkpoints:
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    run(main)
