"""Train an encoder on the dictionary task: `python -m stages.visual_characters.train_glosses fc_2l`.

data/corpora -> data/models/visual_characters/glosses/<encoder>/seed-<s>/ (config.json, model.safetensors,
training.json), and tuning.json.
"""

from repline.glyphs import bitmaps
from repline.systems.visual_characters.glosses.gloss_training import read_gloss_data, train_glosses
from repline.systems.visual_characters.settings import load
from repline.systems.visual_characters.tuning import tune
from repline.training.run import Run
from stages import run
from stages.argument import argument
from stages.folders import CORPORA
from stages.runs import trained_runs


def main() -> None:
    settings = load()
    encoder = argument("an encoder", settings.encoders)
    data = read_gloss_data(CORPORA / "visual_characters" / "words", bitmaps.read(CORPORA / "glyphs"))

    def train(learning_rate: float, this_run: Run) -> None:
        train_glosses(settings.gloss_recipe(encoder, learning_rate), data, this_run)

    with trained_runs("visual_characters", "glosses", encoder) as runs:
        tune(train, settings.glosses, runs.run)


if __name__ == "__main__":
    run(main)
