"""The section `usif` of params.yaml."""

from typing import Any, Literal

from repline.parameters import Count, Section, Seeds


class Runs(Section):
    """How often a probe is trained; its other knobs are those of `repline.systems.usif.probe_training.train_probe`."""

    seeds: Seeds


class Settings(Section):
    """The whole section; training checks `probes`: a `Runs`, and the parameters of the training function."""

    pairs: str
    labelled: str
    unigrams: str
    vectors: str
    kind: Literal["glove", "psl", "paranmt"]
    length: Count | None
    components: Count
    probes: dict[str, Any]
