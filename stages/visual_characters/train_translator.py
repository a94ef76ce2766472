"""Train a translator with an encoder: `python -m stages.visual_characters.train_translator fc_2l`.

data/corpora -> data/models/visual_characters/translation/<encoder>/seed-<s>/, and tuning.json.
"""

from repline.glyphs import bitmaps
from repline.systems.visual_characters.corpus import read_rows
from repline.systems.visual_characters.settings import load
from repline.systems.visual_characters.translation.translator_training import train_translator
from repline.systems.visual_characters.tuning import tune
from repline.training.run import Run
from stages import run
from stages.argument import argument
from stages.folders import CORPORA
from stages.runs import trained_runs


def main() -> None:
    settings = load()
    encoder = argument("an encoder", settings.translation.encoders)
    drawn = bitmaps.read(CORPORA / "glyphs")
    pairs = read_rows(CORPORA / "visual_characters" / "words", "pairs", drawn)

    def train(learning_rate: float, this_run: Run) -> None:
        recipe = settings.translator_recipe(encoder, learning_rate)
        train_translator(recipe, pairs, drawn, this_run, settings.decoding)

    with trained_runs("visual_characters", "translation", encoder) as runs:
        tune(train, settings.translation.training, runs.run)


if __name__ == "__main__":
    run(main)
