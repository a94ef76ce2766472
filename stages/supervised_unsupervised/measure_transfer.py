"""Measure the encoders on other tasks: `python -m stages.supervised_unsupervised.measure_transfer NAME`.

data/models/supervised_unsupervised/NAME, data/<sources> -> data/evaluation/supervised_unsupervised/transfer/NAME.json
"""

import torch

from repline.evaluation.sentences.task_files import read_tasks
from repline.files import write_json
from repline.systems.supervised_unsupervised.corpus import read_data
from repline.systems.supervised_unsupervised.settings import load
from repline.systems.supervised_unsupervised.transfer import measure_transfer, untrained_encoders
from repline.training.run import runs
from stages import run, threads
from stages.argument import argument
from stages.folders import CORPORA, DATA, EVALUATION, MODELS


def main() -> None:
    settings = load()
    name = argument("the name of a corpus", settings.corpora)
    torch.set_num_threads(threads())
    corpus, protocol = settings.corpora[name], settings.transfer
    data, vectors = read_data(CORPORA / "supervised_unsupervised" / name), DATA / corpus.vectors
    variants = protocol.variants or list(settings.variants)
    models = {variant: runs(MODELS / "supervised_unsupervised" / name / variant) for variant in variants}
    tasks = read_tasks([DATA / source for source in dict.fromkeys(protocol.sources)], protocol.tasks)
    untrained = untrained_encoders(settings.variants[variants[0]], settings.seeds, data, vectors, corpus)
    scores = measure_transfer(models, tasks, protocol, untrained, vectors)
    write_json(EVALUATION / "supervised_unsupervised/transfer" / f"{name}.json", scores)
    for method, seeds in scores.items():
        first = ", ".join(f"{task} {100 * numbers['value']:.1f}" for task, numbers in seeds[0].items())
        print(f"{method}, the first of {len(seeds)} seeds: {first}")


if __name__ == "__main__":
    run(main)
