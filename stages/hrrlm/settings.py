"""The section `hrrlm` of params.yaml, checked against what uses it, and the corpora that it names."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from repline import parameters
from repline.corpora.language_modeling.corpus import LanguageModelingCorpus
from repline.errors import InputError
from repline.systems.hrrlm.chunk_training import train_chunks
from repline.systems.hrrlm.training import train_words

MODELS = Path("data/models/hrrlm")
DATA = Path("data")
GIVEN = ("variant", "seed", "threads")


@dataclass(frozen=True, kw_only=True)
class Evaluation:
    """What `evaluate` measures."""

    benchmarks: list[str]  # folders of data/raw with tests of word vectors
    vocabulary: int  # most frequent words that may answer an analogy
    tsne_words: int
    occurrences: int  # of the commonest noun phrase, in the table of clusters
    seed: int


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The section `hrrlm`."""

    corpus: str
    vocabulary: int
    seeds: list[int]
    variants: list[str]  # that are trained
    vectors: str  # the variant whose vectors are saved, and which the chunk level starts from
    baseline: str  # the variant whose vectors stand beside them
    words: dict[str, dict[str, Any]]  # variant -> arguments of train_words
    chunk_corpus: str
    chunks: dict[str, Any]  # arguments of train_chunks
    evaluation: Evaluation

    def view(self) -> LanguageModelingCorpus:
        """The corpus of the word level."""
        return LanguageModelingCorpus.load(DATA / self.corpus, self.vocabulary)

    def chunk_view(self) -> LanguageModelingCorpus:
        """The corpus of the chunk level, with the words of the word level."""
        return LanguageModelingCorpus.load(DATA / self.chunk_corpus, self.vocabulary)


def read(values: dict[str, Any] | None = None) -> Settings:
    """The section `hrrlm`; InputError on any mistake in it."""
    section = dict(parameters.section(parameters.read() if values is None else values, "hrrlm"))
    words, chunks = (dict(section.pop(name, None) or {}) for name in ("words", "chunks"))
    own = {key: value for key, value in words.items() if isinstance(value, dict)}
    every = {
        name: parameters.bind(train_words, parameters.variant(words, name, list(own), "hrrlm.words"), at, given=GIVEN)
        for name, at in ((name, f"hrrlm.words.{name}") for name in own)
    }
    chunk_corpus = chunks.pop("corpus", section.get("corpus"))
    evaluation = parameters.section({"hrrlm": section}, "hrrlm.evaluation")
    evaluation = Evaluation(**parameters.bind(Evaluation, evaluation, "hrrlm.evaluation"))
    section.pop("evaluation")
    given = {
        "words": every,
        "chunks": parameters.bind(train_chunks, chunks, "hrrlm.chunks", given=("seed", "threads")),
        "chunk_corpus": chunk_corpus,
        "evaluation": evaluation,
    }
    settings = Settings(**parameters.bind(Settings, section, "hrrlm", given=tuple(given)), **given)
    for name in (*settings.variants, settings.vectors, settings.baseline):
        if name not in every:
            raise InputError(f"params.yaml: hrrlm.words has no variant {name!r}{parameters.nearest(name, every)}")
    for key in ("vectors", "baseline"):
        if getattr(settings, key) not in settings.variants:
            raise InputError(f"params.yaml: hrrlm.{key} is {getattr(settings, key)!r}, which hrrlm.variants leaves out")
    if not settings.seeds:
        raise InputError("params.yaml: hrrlm.seeds is empty; it needs at least one")
    return settings


def runs(variant: str, settings: Settings) -> list[Path]:
    """The folders of a variant's runs, one a seed."""
    return [MODELS / variant / f"seed-{seed}" for seed in settings.seeds]
