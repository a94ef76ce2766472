"""The section `visual_characters` of params.yaml."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field

from repline import parameters
from repline.errors import InputError
from repline.glyphs.font_rendering import draw
from repline.parameters import Count, Positive, Section, Seeds
from repline.systems.visual_characters.corpus import split_tagged
from repline.systems.visual_characters.glosses.dictionary_task import gloss_task
from repline.systems.visual_characters.translation.translation_pairs import split_pairs

AT = "visual_characters"
Knobs = dict[str, Any]


class Font(Section):
    """What draws the characters: a font file, or a folder of data/ with one."""

    font: str


class TaggedCorpus(Section):
    """A folder or file of data/ with tagged sentences; pku_tags: its tags are those that jieba uses."""

    source: str
    tag_letters: Count | None = 1
    pku_tags: bool = False


class Tuning(Section):
    """Which trainings there are: the learning rate is that with the lowest dev loss for the first seed."""

    seeds: Seeds
    learning_rates: Annotated[list[Positive], Field(min_length=1)]
    encoders: list[str] | None = None  # null: all of them


class Modes(Section):
    """Whether taggers fix the characters' vectors, or adapt the encoder."""

    modes: Annotated[list[Literal["fix", "adapt"]], Field(min_length=1)]


class Decoding(Section):
    """How sentences are translated."""

    beam: Count
    longest: Count
    length_power: float


class Settings(Section):
    """The section; trainings are checked by the functions that take them."""

    dictionary: str
    pairs: str
    similarity: str
    words: parameters.signature(gloss_task)
    sentence_pairs: parameters.signature(split_pairs)
    tagged: Annotated[dict[str, parameters.signature(split_tagged, base=TaggedCorpus)], Field(min_length=1)]
    glyphs: parameters.signature(draw, given=("progress",), base=Font)
    encoders: Annotated[dict[str, Knobs], Field(min_length=1)]
    glosses: Knobs
    tagging: Knobs
    translation: Knobs
    decoding: Decoding
    shown: str


class Trainings(NamedTuple):
    """Of one task: the tuning, and the arguments of its training function for each encoder by its name."""

    tuning: Tuning
    encoders: dict[str, Knobs]


def load(values: Mapping[str, Any] | None = None) -> Settings:
    """The section; InputError on any mistake in it, but for those that `trainings` finds."""
    return parameters.load(Settings, AT, values)


def trainings(
    settings: Settings, task: str, train: Callable, given: tuple[str, ...] = (), shape: bool = True
) -> Trainings:
    """What a task trains: the settings in its section and those of each encoder.

    Args:
        task: glosses, tagging or translation.
        train: its function.
        given: keyword-only parameters of it that stand in no section.
        shape: whether it takes the shape of the encoder.

    Raises:
        InputError: a mistake in the section, or an encoder that `encoders` does not have.
    """
    section = dict(getattr(settings, task))
    own = {name: section.pop(name) for name in Tuning.model_fields if name in section}
    tuning = parameters.check(Tuning, own, f"{AT}.{task}")
    chosen = list(settings.encoders) if tuning.encoders is None else tuning.encoders
    found = {}
    for name in chosen:
        if name not in settings.encoders:
            known = parameters.nearest(name, settings.encoders)
            raise InputError(f"params.yaml: {AT}.{task}.encoders names an unknown encoder {name!r}{known}")
        knobs = {**section, **(settings.encoders[name] if shape else {})}
        whole = {**knobs, "learning_rate": tuning.learning_rates[0]}
        parameters.bind(train, whole, f"{AT}.{task}", given=("name", "seed", "threads", *given))
        found[name] = knobs
    return Trainings(tuning, found)


def tagging(settings: Settings, train: Callable) -> tuple[list[str], Trainings]:
    """The modes of the tagger, and what `trainings` says of the task."""
    section = dict(settings.tagging)
    modes = parameters.check(Modes, {"modes": section.pop("modes", None)}, f"{AT}.tagging").modes
    rest = settings.model_copy(update={"tagging": section})
    return modes, trainings(rest, "tagging", train, given=("mode",), shape=False)
