"""Where the models of HRRLM lie, and the corpora that its parameters name."""

from pathlib import Path

from repline.corpora.language_modeling.corpus import LanguageModelingCorpus
from repline.systems.hrrlm.settings import Settings

DATA = Path("data")
MODELS = DATA / "models/hrrlm"


def view(chosen: Settings) -> LanguageModelingCorpus:
    """The corpus of the word level."""
    return LanguageModelingCorpus.load(DATA / chosen.corpus, chosen.vocabulary)


def chunk_view(chosen: Settings) -> LanguageModelingCorpus:
    """The corpus of the chunk level, with the words of the word level."""
    return LanguageModelingCorpus.load(DATA / chosen.chunks.corpus, chosen.vocabulary)


def runs(variant: str, chosen: Settings) -> list[Path]:
    """The folders of a variant's runs, one a seed."""
    return [MODELS / variant / f"seed-{seed}" for seed in chosen.seeds]


def extrinsic(task: str) -> Path:
    """What the vectors score in a task, sentence by sentence; beside the models, so that it may be missing."""
    return MODELS / f"extrinsic-{task}.parquet"
