"""data/models/conversations, what tests measured -> data/evaluation/conversations: metrics, claims, figures, plots."""

from repline.cards import read_card
from repline.systems.conversations.corpus import inference_groups, read_inference, read_turns
from repline.systems.conversations.evaluation import evaluate
from repline.systems.conversations.pair_tests import read_measured
from repline.systems.conversations.settings import load
from repline.training.run import runs
from stages import run
from stages.conclusion import conclude
from stages.conversations.figures import figures, plots
from stages.folders import CORPORA, DATA, EVALUATION, MODELS


def main() -> None:
    settings = load()
    corpora = {source: CORPORA / "conversations" / source for source in settings.sources}
    measured = EVALUATION / "conversations/measured"
    evaluation = evaluate(
        settings,
        read_turns(corpora),
        read_inference(DATA / settings.inference),
        inference_groups(DATA / settings.inference),
        {variant: runs(MODELS / "conversations" / variant) for variant in settings.variants},
        {test: read_measured(measured / f"{test}.npz") for test in settings.tests},
    )
    evaluation.metrics["counts"] |= {source: read_card(folder)["counts"] for source, folder in corpora.items()}
    conclude("conversations", evaluation, figures(evaluation.metrics), plots(evaluation.metrics))


if __name__ == "__main__":
    run(main)
