"""Train one variant as a language model: `python -m stages.rrnet.train_language_model rrnet`.

data/<rrnet.language_model.corpus> -> data/models/rrnet/language_model-<variant>/seed-<s>/.
"""

from repline.systems.rrnet.language_model_training import train_rrnet_language_model
from repline.systems.rrnet.settings import load
from stages import run
from stages.argument import argument
from stages.folders import DATA
from stages.runs import trained_runs


def main() -> None:
    settings = load().language_model
    variants = settings.variants
    variant = argument("a variant", variants)
    with trained_runs("rrnet", f"language_model-{variant}") as runs:
        for seed in variants[variant].seeds:
            train_rrnet_language_model(variants[variant], DATA / settings.corpus, runs.run(seed))


if __name__ == "__main__":
    run(main)
