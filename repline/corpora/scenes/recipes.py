"""Settings of scenes: the typed sections of params.yaml for corpora of scenes."""

from typing import Annotated

from pydantic import Field

from repline.parameters import Section


class SceneCorpus(Section):
    """Scenes as sets of triplets, and sentences about them.

    Attributes:
        source: a folder of data/ with scenes in the format of MD-TC, see `repline.corpora.scenes.scene_files`.
        cycles: whether the heads of a sentence may form a cycle, as they do in three sentences of MD-TC.
        folds: how many folds of the authors the source has in addition to its scenes.
    """

    source: str
    cycles: bool = False
    folds: Annotated[int, Field(ge=0)] = 0
