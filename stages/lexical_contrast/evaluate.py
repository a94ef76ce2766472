"""data/models/lexical_contrast and tests of antonymy -> data/evaluation/lexical_contrast: metrics, claims, figures."""

from repline.evaluation.evaluations import Evaluation
from repline.systems.lexical_contrast.corpus import read_contrasts, read_questions, read_space
from repline.systems.lexical_contrast.evaluation import evaluate
from repline.systems.lexical_contrast.settings import START, load
from repline.training.run_folders import runs
from stages import run
from stages.conclusion import conclude
from stages.folders import CORPORA, DATA, EVALUATION, MODELS
from stages.lexical_contrast import figures


def main() -> None:
    settings = load()
    corpus, similarities = CORPORA / "lexical_contrast", EVALUATION / "lexical_contrast" / "similarity"
    questions = DATA / settings.questions
    evaluation = evaluate(
        {name: runs(MODELS / "lexical_contrast" / name) for name in settings.configurations},
        read_space(corpus, settings),
        settings,
        read_questions(corpus),
        read_contrasts(DATA / settings.contrast),
        [Evaluation.load(similarities / source) for source in settings.benchmarks],
        {} if questions == corpus else {questions.name: read_questions(questions)},
    )
    metrics, spaces = evaluation.metrics, [START, *settings.configurations]
    conclude("lexical_contrast", evaluation, figures.figures(metrics, spaces), figures.plots(metrics, spaces))


if __name__ == "__main__":
    run(main)
