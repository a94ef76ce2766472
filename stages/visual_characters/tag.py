"""Train taggers on a corpus, with every encoder and mode: `python -m stages.visual_characters.tag peoples_daily`.

data/corpora, data/models/visual_characters/glosses -> data/models/visual_characters/tagging/<corpus>/<encoder>_<mode>.
"""

from repline.systems.visual_characters import settings
from repline.systems.visual_characters.tagging.tagger_training import train_tagger
from stages import run
from stages.argument import argument
from stages.seeds import models
from stages.visual_characters import paths
from stages.visual_characters.tuning import tune


def main() -> None:
    chosen = settings.load()
    modes, (tuning, encoders) = settings.tagging(chosen, train_tagger)
    corpus = argument("a corpus", chosen.tagged)
    with models(paths.MODELS / "tagging" / corpus) as made:
        for name, knobs in encoders.items():
            start = paths.first_run(paths.glosses(name))
            data = paths.tagged(corpus), paths.GLYPHS, start
            for mode in modes:
                into = paths.tagger(corpus, name, mode).name
                tune(made, train_tagger, *data, into=into, tuning=tuning, name=f"{corpus}-{name}", mode=mode, **knobs)


if __name__ == "__main__":
    run(main)
