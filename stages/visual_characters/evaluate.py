"""data/models/visual_characters, data/corpora -> data/evaluation/visual_characters: metrics, claims, figures."""

from repline.systems.visual_characters.evaluation import Corpora, Models, evaluate
from repline.systems.visual_characters.settings import load
from stages import run
from stages.conclusion import conclude
from stages.folders import CORPORA, MODELS
from stages.visual_characters import figures


def main() -> None:
    settings = load()
    corpora, models = CORPORA / "visual_characters", MODELS / "visual_characters"
    taggers = [f"{encoder}_{mode}" for encoder in settings.tagging.encoders for mode in settings.tagging.modes]
    evaluation = evaluate(
        Models(
            glosses={name: models / "glosses" / name for name in settings.encoders},
            taggers={
                corpus: {name: models / "tagging" / corpus / name for name in taggers} for corpus in settings.tagged
            },
            translators={name: models / "translation" / name for name in settings.translation.encoders},
        ),
        Corpora(
            words=corpora / "words",
            tagged={name: corpora / "tagged" / name for name in settings.tagged},
            glyphs=CORPORA / "glyphs",
        ),
        settings,
    )
    shown = figures.figures(evaluation, settings)
    conclude("visual_characters", evaluation, shown, figures.plots(evaluation.metrics))


if __name__ == "__main__":
    run(main)
