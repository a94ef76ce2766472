"""One entry of sentence_suite.encoders on all tasks: `python -m stages.sentence_suite.evaluate average`.

data/<folder of the encoder>, data/<sources> -> data/evaluation/sentence_suite/scores/NAME.json. Sentence vectors are
cached in data/scratch/sentence_vectors.
"""

import torch

from repline.evaluation.sentences.protocol import measure
from repline.evaluation.sentences.sentence_cache import SentenceVectors
from repline.evaluation.sentences.sentence_encoders import load_encoder, untrained_encoder
from repline.evaluation.sentences.task_files import read_tasks
from repline.files import write_json
from repline.reading.wrong_records import LeftOut
from stages import run, threads
from stages.argument import argument
from stages.folders import DATA, EVALUATION
from stages.sentence_suite.settings import load


def main() -> None:
    settings = load()
    name = argument("the name of an encoder", settings.encoders)
    torch.set_num_threads(threads())
    encoder = settings.encoders[name]
    folder = DATA / encoder.folder
    left_out, sources = LeftOut(settings.on_error), [DATA / source for source in dict.fromkeys(settings.sources)]
    tasks = read_tasks(sources, settings.tasks, on_error=left_out)
    print("".join(f"{note}\n" for note in left_out.notes()), end="")
    if encoder.untrained is None:
        encode = load_encoder(folder)
    else:
        encode = untrained_encoder(encoder.untrained, folder, encoder.options)
    vectors = SentenceVectors(name, encode, DATA / "scratch/sentence_vectors")
    scores = {}
    for task in tasks:
        scores[task.name] = score = measure(task, vectors, settings)
        zeros = f", {score['zero_vectors']:,} sentences have a zero vector" if score["zero_vectors"] else ""
        print(f"{task.name}: {score['measure']} {100 * score['value']:.1f} of {score['items']:,}{zeros}", flush=True)
    dimensions = next(iter(scores.values()))["dimensions"]
    result = {"untrained": encoder.untrained is not None, "tasks": scores, "dimensions": dimensions}
    result |= left_out.counts()
    write_json(EVALUATION / "sentence_suite/scores" / f"{name}.json", result)


if __name__ == "__main__":
    run(main)
