"""data/models/tpgn, captions -> data/evaluation/tpgn: metrics, claims, figures, plots."""

from repline.cards import read_card
from repline.corpora.captions.caption_corpus import read_captions
from repline.systems.tpgn.corpus import prepare
from repline.systems.tpgn.evaluation import evaluate
from repline.systems.tpgn.settings import load
from repline.training.run import runs
from stages import run
from stages.conclusion import conclude
from stages.folders import DATA, MODELS
from stages.tpgn import figures


def main() -> None:
    settings = load()
    corpus = DATA / settings.captions
    data = prepare(read_captions(corpus), settings.minimum_count, settings.longest)
    evaluation = evaluate(settings, {name: runs(MODELS / "tpgn" / name) for name in settings.models}, data)
    for name in settings.models:
        print(f"{name}: {figures.summary(evaluation.metrics[name])}", flush=True)
    evaluation.metrics["captions"] = read_card(corpus)["counts"] | {"vocabulary": len(data.vocabulary)}
    examples = evaluation.details["examples"]
    charts = figures.figures(evaluation.metrics, examples, list(settings.models))
    conclude("tpgn", evaluation, charts, figures.plots(evaluation.metrics, examples, data.parts["test"].names))


if __name__ == "__main__":
    run(main)
