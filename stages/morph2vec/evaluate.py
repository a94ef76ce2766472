"""data/evaluation/morph2vec/spaces -> data/evaluation/morph2vec: metrics, claims, figures, plots."""

import json

from repline.evaluation.replication.bootstrap import side_by_side
from repline.evaluation.replication.replicate_files import read as read_replicates
from repline.systems.morph2vec.settings import read
from stages import run
from stages.conclusion import conclude
from stages.morph2vec import figures
from stages.morph2vec.measure import SPACES


def main() -> None:
    spaces = read().spaces
    metrics = {name: json.loads((SPACES / name / "scores.json").read_text(encoding="utf-8")) for name in spaces}
    repeated = side_by_side(**{name: read_replicates(SPACES / name / "replicates.parquet") for name in spaces})
    conclude("morph2vec", metrics, figures.figures(metrics), figures.plots(metrics), repeated)


if __name__ == "__main__":
    run(main)
