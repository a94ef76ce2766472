"""The folders of trained models, one a seed; without torch, for what is no network."""

from pathlib import Path

from repline.errors import InputError

SEED_FOLDER = "seed-"


def runs(folder: str | Path) -> list[Path]:
    """The folders of the runs of one variant, `seed-<s>`, by their seeds.

    Raises:
        InputError: there is none.
    """
    folder = Path(folder)
    seeds = {path: path.name.removeprefix(SEED_FOLDER) for path in folder.glob(f"{SEED_FOLDER}*") if path.is_dir()}
    trained = sorted((path for path, seed in seeds.items() if seed.isdecimal()), key=lambda path: int(seeds[path]))
    if not trained:
        raise InputError(f"{folder}: there is no trained model (no folder {SEED_FOLDER}0 or the like); train it first")
    return trained
