"""The section `hrrlm` of params.yaml."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from pydantic import Field, model_validator

from repline import parameters
from repline.parameters import Count, Section, Seeds
from repline.systems.hrrlm.extrinsic.tasks import TaskName

Knobs = dict[str, Any]  # of a function, whose signature says what they are


class Words(Section, extra="allow"):
    """The word level; other keys are parameters of `training.train_words`, shared by all variants."""

    variants: Annotated[dict[str, Knobs], Field(min_length=1)]


class Chunks(Section, extra="allow"):
    """The chunk level; other keys are parameters of `chunk_training.train_chunks`."""

    corpus: str  # a folder of data/, with the words of the word level


class Evaluation(Section):
    """What `evaluate` measures."""

    benchmarks: list[str]  # folders of data/raw with tests of word vectors
    vocabulary: Count  # most frequent words that may answer an analogy
    tsne_words: Count
    occurrences: Count  # of the commonest noun phrase, in the table of clusters
    seed: Annotated[int, Field(ge=0)]


class Extrinsic(Section):
    """One extrinsic task, beside the knobs of `extrinsic.reader.learn`."""

    source: str  # a folder of data/


class Settings(Section):
    """The section `hrrlm`."""

    corpus: str  # a folder of data/
    vocabulary: Annotated[int, Field(ge=3)]  # <unk> and <eos> included
    seeds: Seeds
    vectors: str  # the variant whose vectors are saved, and which the chunk level starts from
    baseline: str  # the variant whose vectors stand beside them
    words: Words
    chunks: Chunks
    evaluation: Evaluation
    extrinsic: dict[TaskName, Knobs]  # none by default: their data come from a mirror or the web

    @model_validator(mode="after")
    def _variants(self) -> "Settings":
        for key in ("vectors", "baseline"):
            name, known = getattr(self, key), self.words.variants
            if name not in known:
                raise ValueError(f"{key} is {name!r}, which is no variant of words{parameters.nearest(name, known)}")
        return self


def load(values: Mapping[str, Any] | None = None) -> Settings:
    """The section; InputError on a mistake in it. `words` and `chunks` check the rest."""
    return parameters.load(Settings, "hrrlm", values)


def words(settings: Settings, train: Callable) -> dict[str, Knobs]:
    """The arguments of `train_words` for every variant; InputError on any mistake."""
    model = parameters.signature(train, given=("variant", "seed", "threads"))
    return parameters.variants(model, settings.words.model_extra or {}, settings.words.variants, "hrrlm.words")


def chunks(settings: Settings, train: Callable) -> Knobs:
    """The arguments of `train_chunks`; InputError on any mistake."""
    return parameters.bind(train, settings.chunks.model_extra or {}, "hrrlm.chunks", given=("seed", "threads"))


def extrinsic(settings: Settings, learn: Callable) -> dict[str, Knobs]:
    """The source of every extrinsic task, and the arguments of `learn`; InputError on any mistake."""
    model = parameters.signature(learn, given=("spans_count", "seed", "threads"), base=Extrinsic)
    return parameters.variants(model, {}, settings.extrinsic, "hrrlm", "extrinsic")
