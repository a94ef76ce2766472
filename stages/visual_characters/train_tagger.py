"""Train taggers on a corpus: `python -m stages.visual_characters.train_tagger peoples_daily fc_2l adapt`.

data/corpora, data/models/visual_characters/glosses -> data/models/visual_characters/tagging/<corpus>/<encoder>_<mode>.
"""

from repline.glyphs import bitmaps
from repline.systems.visual_characters.settings import load
from repline.systems.visual_characters.tagging.tagger_training import read_tagged_data, train_tagger
from repline.systems.visual_characters.tuning import tune
from repline.training.run import Run, runs
from stages import run
from stages.argument import arguments
from stages.folders import CORPORA, MODELS
from stages.runs import trained_runs


def main() -> None:
    settings = load()
    tagging = settings.tagging
    corpus, encoder, mode_name = arguments(
        {"a corpus": settings.tagged, "an encoder": tagging.encoders, "a mode": tagging.modes}
    )
    mode = next(mode for mode in tagging.modes if mode == mode_name)
    data = read_tagged_data(CORPORA / "visual_characters" / "tagged" / corpus, bitmaps.read(CORPORA / "glyphs"))
    dictionary_model = runs(MODELS / "visual_characters" / "glosses" / encoder)[0]

    def train(learning_rate: float, this_run: Run) -> None:
        train_tagger(settings.tagger_recipe(mode, learning_rate), data, dictionary_model, this_run)

    with trained_runs("visual_characters", "tagging", corpus, f"{encoder}_{mode}") as trained:
        tune(train, tagging.training, trained.run)


if __name__ == "__main__":
    run(main)
