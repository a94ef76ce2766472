"""Train the chunk level from the word level, once per seed.

data/models/hrrlm/<variant>, data/corpora/<corpus with chunks> -> data/models/hrrlm/chunks/seed-<s>/.
"""

from repline.systems.hrrlm import settings
from repline.systems.hrrlm.chunk_training import train_chunks
from stages import run
from stages.hrrlm import paths
from stages.seeds import models


def main() -> None:
    chosen = settings.load()
    knobs = settings.chunks(chosen, train_chunks)
    corpus = paths.chunk_view(chosen)
    with models(paths.MODELS / "chunks") as made:
        for seed, words in zip(chosen.seeds, paths.runs(chosen.vectors, chosen), strict=True):
            made.train(train_chunks, words, corpus, seeds=[seed], **knobs)


if __name__ == "__main__":
    run(main)
