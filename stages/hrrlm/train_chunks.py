"""Train the chunk level from the word level, once per seed.

data/models/hrrlm/<variant>, data/corpora/<corpus with chunks> -> data/models/hrrlm/chunks/seed-<s>/.
"""

from repline.corpora.language_modeling.corpus import LanguageModelingCorpus
from repline.systems.hrrlm.chunk_training import train_chunks
from repline.systems.hrrlm.settings import load
from repline.training.run import runs as runs_of
from stages import run
from stages.folders import DATA, MODELS
from stages.runs import trained_runs


def main() -> None:
    settings = load()
    corpus = LanguageModelingCorpus.load(DATA / settings.chunks.corpus, settings.vocabulary)
    word_models = runs_of(MODELS / "hrrlm" / settings.vectors)
    with trained_runs("hrrlm", "chunks") as runs:
        for seed, words in zip(settings.seeds_of(settings.vectors), word_models, strict=True):
            train_chunks(settings.chunks, words, corpus, runs.run(seed))


if __name__ == "__main__":
    run(main)
