"""The last step of every system's `evaluate`: judge its claims, write metrics, replicates, claims, figures, plots."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from repline import parameters
from repline.evaluation.claims import judgement, replicates
from repline.files import new_folder, write_json


def conclude(
    system: str,
    metrics: dict[str, Any],
    figures: list[dict[str, Any]],
    plots: dict[str, Any],
    repeated: Sequence[Mapping[str, Any]] = (),
) -> None:
    """Write data/evaluation/<system>/: {metrics,claims,figures}.json, replicates.parquet, plots/*.json; print verdicts.

    Args:
        system: the folder of stages/ whose claims.yaml is judged.
        metrics: what was measured; claims name its numbers.
        figures: for the report.
        plots: the rows of each of DVC's plots.
        repeated: the replicates, parts of the metrics measured again with other seeds or on other test items.

    Raises:
        InputError: claims.yaml is wrong.
    """
    profile = parameters.section(parameters.read(), "profile")
    verdicts = judgement.check(judgement.read(f"stages/{system}/claims.yaml"), metrics, profile, repeated)
    folder = Path("data/evaluation") / system
    for name, content in (("metrics", metrics), ("claims", verdicts), ("figures", figures)):
        write_json(folder / f"{name}.json", content)
    replicates.write(folder / "replicates.parquet", repeated)
    with new_folder(folder / "plots") as partial:
        for name, rows in plots.items():
            write_json(partial / f"{name}.json", rows)
    for claim in verdicts:
        print(f"{claim['verdict']:>9}  {claim['text']}{_measured(claim)}")


def _measured(claim: Mapping[str, Any]) -> str:
    if claim["measured"] is None:
        return ""
    low, high = claim["interval"] or (None, None)
    margin = "" if low is None else f", margin {claim['margin']:.3g} from {low:.3g} to {high:.3g}"
    return f" [{claim['measured']:.4g}, expected {claim['expected']}{margin}]"
