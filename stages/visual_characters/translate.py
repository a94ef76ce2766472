"""Train translators with every encoder: `python -m stages.visual_characters.translate`.

data/corpora -> data/models/visual_characters/translation/<encoder>/seed-<s>/, and tuning.json.
"""

from repline.systems.visual_characters import settings
from repline.systems.visual_characters.translation.translator_training import train_translator
from stages import run
from stages.seeds import models
from stages.visual_characters import paths
from stages.visual_characters.tuning import tune


def main() -> None:
    tuning, encoders = settings.trainings(settings.load(), "translation", train_translator)
    with models(paths.MODELS / "translation") as made:
        for name, knobs in encoders.items():
            data = paths.WORDS, paths.GLYPHS
            tune(made, train_translator, *data, into=name, tuning=tuning, name=f"translation-{name}", **knobs)


if __name__ == "__main__":
    run(main)
