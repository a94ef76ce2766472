"""Train one model, once per seed: `python -m stages.chinese_hybrid.train MODEL`.

data/corpora/chinese_hybrid -> data/models/chinese_hybrid/<model>/seed-<s>, word vectors with the losses of the passes,
and the first of these as data/vectors/chinese_hybrid-<model>.
"""

from shutil import copytree, ignore_patterns

from repline.cards import Source
from repline.files import new_folder
from repline.lexicons.hanzi.components import read_components
from repline.reading.wrong_records import LeftOut
from repline.systems.chinese_hybrid.corpus import read_data
from repline.systems.chinese_hybrid.settings import load
from repline.systems.chinese_hybrid.training import LOSSES, train
from repline.training.run import SEED_FOLDER
from stages import run
from stages.argument import argument
from stages.folders import CORPORA, DATA, MODELS, VECTORS
from stages.runs import trained_runs


def main() -> None:
    settings = load()
    name = argument("the name of a model", settings.models)
    data, table, seeds = read_data(CORPORA / "chinese_hybrid"), settings.components, settings.seeds_of(name)
    left_out = LeftOut(table.on_error)
    components = read_components(DATA / table.place, steps=table.steps, **table.arguments(left_out))
    source: Source = {"name": table.place, "steps": table.steps}
    with trained_runs("chinese_hybrid", name) as runs:
        for seed in seeds:
            train(settings.models[name], data, components, runs.run(seed), [source], left_out.notes())
    first = MODELS / "chinese_hybrid" / name / f"{SEED_FOLDER}{seeds[0]}"
    with new_folder(VECTORS / f"chinese_hybrid-{name}") as partial:
        copytree(first, partial, ignore=ignore_patterns(LOSSES), dirs_exist_ok=True)


if __name__ == "__main__":
    run(main)
