"""The last step of every system's `evaluate`: judge its claims, write metrics, claims, figures and plots."""

from pathlib import Path
from typing import Any

from repline import parameters
from repline.evaluation.claims import judgement
from repline.files import new_folder, write_json


def conclude(system: str, metrics: dict[str, Any], figures: list[dict[str, Any]], plots: dict[str, Any]) -> None:
    """Write data/evaluation/<system>/{metrics,claims,figures}.json and plots/*.json, and print the verdicts.

    Args:
        system: the folder of stages/ whose claims.yaml is judged.
        metrics: what was measured; claims name its numbers.
        figures: for the report.
        plots: the rows of each of DVC's plots.

    Raises:
        InputError: claims.yaml is wrong.
    """
    profile = parameters.section(parameters.read(), "profile")
    verdicts = judgement.check(judgement.read(f"stages/{system}/claims.yaml"), metrics, profile)
    folder = Path("data/evaluation") / system
    for name, content in (("metrics", metrics), ("claims", verdicts), ("figures", figures)):
        write_json(folder / f"{name}.json", content)
    with new_folder(folder / "plots") as partial:
        for name, rows in plots.items():
            write_json(partial / f"{name}.json", rows)
    for claim in verdicts:
        measured = "" if claim["measured"] is None else f" [{claim['measured']:.4g}, expected {claim['expected']}]"
        print(f"{claim['verdict']:>8}  {claim['text']}{measured}")
