"""The sentence vectors of all models of a corpus on its tasks: `python -m stages.rnn_cnn.measure NAME`.

data/models/rnn_cnn/<corpus>, data/vectors, data/<tasks> -> data/evaluation/rnn_cnn/scores/<corpus>.json, with the
average of the pre-trained vectors beside them.
"""

from pathlib import Path
from typing import Any

import torch

from repline.evaluation.sentences.protocol import measure
from repline.evaluation.sentences.sentence_cache import Encode, SentenceVectors
from repline.evaluation.sentences.task_files import read_tasks
from repline.evaluation.sentences.untrained import UntrainedEncoder
from repline.files import write_json
from repline.pretrained import pretrained
from repline.systems.rnn_cnn.encoder import SentenceEncoder
from repline.systems.rnn_cnn.model import ContextModel
from repline.systems.rnn_cnn.settings import read, text_of
from repline.vectors import store
from stages import run, threads
from stages.argument import argument
from stages.rnn_cnn.places import MODELS, SCORES


def main() -> None:
    settings = read()
    name = argument("the name of a corpus", settings.corpora)
    text, _ = text_of(settings, name)
    torch.set_num_threads(threads())
    sources = [Path("data") / source for source in dict.fromkeys(settings.evaluation.sources)]
    tasks = read_tasks(sources, text.tasks)
    words, matrix = store.words_and_matrix(Path("data/vectors") / settings.vectors)
    index = {word: row for row, word in enumerate(words)}

    def scores(called: str, encode: Encode) -> dict[str, Any]:
        vectors = SentenceVectors(called, encode)
        found = {task.name: measure(task, vectors, settings.evaluation) for task in tasks}
        shown = ", ".join(f"{task} {100 * one['value']:.1f}" for task, one in found.items())
        print(f"{called}: {shown}", flush=True)
        return found

    found = {"average": [scores("average", UntrainedEncoder("average", index, matrix))]}
    for variant in text.variants:
        found[variant] = []
        for seed in settings.seeds:
            model = pretrained(ContextModel, MODELS / name / variant / f"seed-{seed}")
            found[variant].append(scores(f"{variant}, seed {seed}", SentenceEncoder(model, index, matrix)))
    write_json(SCORES / f"{name}.json", found)


if __name__ == "__main__":
    run(main)
