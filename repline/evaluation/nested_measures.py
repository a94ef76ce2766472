"""Types of what evaluations hand on: measures nested by name, replicates of them, and the arrays both come from."""

from collections.abc import Mapping, Sequence

from numpy.typing import NDArray

Metric = None | bool | int | float | str | Sequence["Metric"] | Mapping[str, "Metric"]
Measures = Mapping[str, Metric]  # a part of metrics.json; None for what could not be measured
Replicate = Measures  # the same part for another seed, or for other test items
Array = NDArray | Mapping[str, "Array"]
Arrays = Mapping[str, Array]  # the same part of all replicates, nested by name: [R] or [R, k] each
