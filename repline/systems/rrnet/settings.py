"""The section `rrnet` of params.yaml."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from pydantic import Field

from repline import parameters
from repline.parameters import Section, Seeds

Knobs = dict[str, Any]  # of a function, whose signature says what they are
CORPORA = {"expressions": "corpora/math_expressions", "relations": "corpora/propositional_logic"}  # folders of data/


class Corpora(Section):
    """How the corpora are made: the knobs of `math_expressions.generate`, and of `propositional_logic.generate`."""

    math_expressions: Knobs
    propositional_logic: Knobs


class Task(Section, extra="allow"):
    """Other keys are parameters of the training, shared by all variants; a variant may override them, and the seeds."""

    variants: Annotated[dict[str, Knobs], Field(min_length=1)]


class LanguageModel(Task):
    """The language model, whose corpus is a folder of data/ and is not generated here."""

    corpus: str


class Settings(Section):
    """The section `rrnet`."""

    corpora: Corpora
    expressions: Task
    relations: Task
    language_model: LanguageModel


class Runs(Section):
    """The fields of a variant that are not parameters of its training."""

    seeds: Seeds


def trainings(task: str, train: Callable, values: Mapping[str, Any] | None = None) -> dict[str, Knobs]:
    """The arguments of `train` for every variant of a task, and `seeds`, with one training each.

    Raises:
        InputError: a mistake in the section, but for the knobs of the other tasks and of the corpora.
    """
    section: Task = getattr(parameters.load(Settings, "rrnet", values), task)
    model = parameters.signature(train, given=("name", "seed", "threads"), base=Runs)
    return parameters.variants(model, section.model_extra or {}, section.variants, f"rrnet.{task}")


def corpus(task: str, values: Mapping[str, Any] | None = None) -> str:
    """The folder of data/ that a task reads."""
    return CORPORA.get(task) or parameters.load(Settings, "rrnet", values).language_model.corpus
