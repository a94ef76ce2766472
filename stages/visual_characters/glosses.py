"""Train an encoder on the dictionary task: `python -m stages.visual_characters.glosses fc_2l`.

data/corpora -> data/models/visual_characters/glosses/<encoder>/seed-<s>/ (config.json, model.safetensors,
training.json), and tuning.json.
"""

from repline.systems.visual_characters import settings
from repline.systems.visual_characters.glosses.gloss_training import train_glosses
from stages import run
from stages.argument import argument
from stages.seeds import models
from stages.visual_characters import paths
from stages.visual_characters.tuning import tune


def main() -> None:
    tuning, encoders = settings.trainings(settings.load(), "glosses", train_glosses)
    name = argument("an encoder", encoders)
    with models(paths.glosses(name)) as made:
        tune(made, train_glosses, paths.WORDS, paths.GLYPHS, into="", tuning=tuning, name=name, **encoders[name])


if __name__ == "__main__":
    run(main)
