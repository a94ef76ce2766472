"""Training with the learning rate that does best on dev: the same rule for every encoder and task."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from repline.errors import InputError
from repline.files import write_json
from repline.systems.visual_characters.settings import Tuning
from stages.seeds import Models

KEPT = "training.json"


def tune(made: Models, train: Callable[..., Path], *data: Any, into: str, tuning: Tuning, **knobs: Any) -> None:
    """Train the first seed with every learning rate, and the others with that of the lowest dev loss.

    Writes seed-<s> for each seed, tuning.json (rate -> lowest dev loss, None where it was not finite; and the chosen
    rate), and of the other rates rate-<r>/training.json.

    Args:
        made, train, data, knobs: as in `Models.train`.
        into: folder of the models.

    Raises:
        InputError: no learning rate gives a finite loss.
    """
    first, *others = tuning.seeds
    folder = made.folder / into
    losses: dict[str, float | None] = {}
    for rate in tuning.learning_rates:
        place = f"rate-{rate}"
        try:
            made.train(train, *data, seeds=[first], into=str(Path(into) / place), learning_rate=rate, **knobs)
        except FloatingPointError:
            losses[str(rate)] = None
            continue
        history = json.loads((folder / place / f"seed-{first}" / KEPT).read_text(encoding="utf-8"))["history"]
        losses[str(rate)] = min(record["validation_loss"] for record in history)
    found = {rate: losses[str(rate)] for rate in tuning.learning_rates if losses[str(rate)] is not None}
    if not found:
        raise InputError(
            f"{knobs['name']}: no learning rate of {tuning.learning_rates} gives a finite loss; take smaller ones"
        )
    best = min(found, key=found.__getitem__)
    for rate in found:
        place = folder / f"rate-{rate}"
        if rate == best:
            (place / f"seed-{first}").rename(folder / f"seed-{first}")
            place.rmdir()
        else:
            (place / f"seed-{first}" / KEPT).rename(place / KEPT)
            shutil.rmtree(place / f"seed-{first}")
    if others:
        made.train(train, *data, seeds=others, into=into, learning_rate=best, **knobs)
    write_json(folder / "tuning.json", {"losses": losses, "learning_rate": best})
    print(f"{knobs['name']}: learning rate {best} of {', '.join(map(str, tuning.learning_rates))}", flush=True)
