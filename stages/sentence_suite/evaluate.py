"""One entry of sentence_suite.encoders on all tasks: `python -m stages.sentence_suite.evaluate average`.

data/<folder of the encoder>, data/<sources> -> data/evaluation/sentence_suite/scores/NAME.json. Sentence vectors are
kept in data/scratch/sentence_vectors.
"""

from pathlib import Path

import torch

from repline.evaluation.sentences.protocol import measure
from repline.evaluation.sentences.sentence_cache import Encode, SentenceVectors
from repline.evaluation.sentences.sentence_encoders import load_encoder, untrained_encoder
from repline.evaluation.sentences.task_files import read_tasks
from repline.files import write_json
from repline.parameters import load
from stages import run, threads
from stages.argument import argument
from stages.sentence_suite.settings import Encoder, Settings

SCORES = Path("data/evaluation/sentence_suite/scores")
KEPT = Path("data/scratch/sentence_vectors")


def main() -> None:
    settings = load(Settings, "sentence_suite")
    name = argument("the name of an encoder", settings.encoders)
    torch.set_num_threads(threads())
    chosen = settings.encoders[name]
    folder = Path("data") / chosen.folder
    sources = [Path("data") / source for source in dict.fromkeys(settings.sources)]
    tasks = read_tasks(sources, settings.tasks)
    vectors = SentenceVectors(name, _encoder(chosen, folder), KEPT)
    result = {"untrained": chosen.untrained is not None, "tasks": {}}
    for task in tasks:
        found = measure(task, vectors, settings)
        result["tasks"][task.name] = found
        result["dimensions"] = found["dimensions"]
        zeros = f", {found['zero_vectors']:,} sentences have a zero vector" if found["zero_vectors"] else ""
        print(f"{task.name}: {found['measure']} {100 * found['value']:.1f} of {found['items']:,}{zeros}", flush=True)
    write_json(SCORES / f"{name}.json", result)


def _encoder(chosen: Encoder, folder: Path) -> Encode:
    if chosen.untrained:
        return untrained_encoder(chosen.untrained, folder, **chosen.options)
    return load_encoder(folder)


if __name__ == "__main__":
    run(main)
