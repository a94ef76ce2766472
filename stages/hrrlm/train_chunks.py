"""Train the chunk level from the word level, once per seed.

data/models/hrrlm/<variant>, data/corpora/<corpus with chunks> -> data/models/hrrlm/chunks/seed-<s>/.
"""

from repline.systems.hrrlm.chunk_training import train_chunks
from stages import run
from stages.hrrlm import settings
from stages.seeds import models


def main() -> None:
    chosen = settings.read()
    corpus = chosen.chunk_view()
    with models(settings.MODELS / "chunks") as made:
        for seed, words in zip(chosen.seeds, settings.runs(chosen.vectors, chosen), strict=True):
            made.train(train_chunks, words, corpus, seeds=[seed], **chosen.chunks)


if __name__ == "__main__":
    run(main)
