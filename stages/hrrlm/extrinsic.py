"""Read the saved word vectors in one extrinsic task: `python -m stages.hrrlm.extrinsic sentiment`.

data/vectors/hrrlm, hrrlm-baseline, data/<source> -> data/models/hrrlm/extrinsic-<task>.parquet: a row for each test
sentence and variant, with what was right, found and gold in it.
"""

import pyarrow as pa
import pyarrow.parquet as pq

from repline.files import new_file
from repline.systems.hrrlm.extrinsic.reader import learn
from repline.systems.hrrlm.extrinsic.tasks import read_task
from repline.systems.hrrlm.settings import load
from repline.training.run import SCRATCH
from repline.vectors import store
from stages import run, threads
from stages.argument import argument
from stages.folders import DATA, MODELS, VECTORS


def main() -> None:
    settings = load()
    name = argument("a task of hrrlm.extrinsic", settings.extrinsic)
    task = settings.extrinsic[name]
    train, test = read_task(name, DATA / task.source)
    tables = []
    for variant, folder in ((settings.vectors, "hrrlm"), (settings.baseline, "hrrlm-baseline")):
        vectors = store.load(VECTORS / folder)
        words, matrix = vectors.key_to_index, vectors.vectors
        counts = learn(
            words,
            matrix,
            train,
            test,
            task,
            SCRATCH,
            spans_count=name == "chunking",
            seed=settings.seeds[0],
            threads=threads(),
        )
        print(f"{name}, {variant}: {counts.score():.3f}", flush=True)
        tables.append(pa.table({"variant": [variant] * len(counts.gold), **counts._asdict()}))
    with new_file(MODELS / "hrrlm" / f"extrinsic-{name}.parquet") as partial:
        pq.write_table(pa.concat_tables(tables), partial, compression="zstd")


if __name__ == "__main__":
    run(main)
