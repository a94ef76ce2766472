"""Read the saved word vectors in one extrinsic task: `python -m stages.hrrlm.extrinsic sentiment`.

data/vectors/hrrlm, hrrlm-baseline, data/<source> -> data/models/hrrlm/extrinsic-<task>.parquet: a row for each test
sentence and variant, with what was right, found and gold in it.
"""

import pyarrow as pa
import pyarrow.parquet as pq

from repline.files import new_file
from repline.systems.hrrlm import settings
from repline.systems.hrrlm.extrinsic.reader import learn
from repline.systems.hrrlm.extrinsic.tasks import read_task
from repline.vectors import store
from stages import run, threads
from stages.argument import argument
from stages.hrrlm import paths


def main() -> None:
    chosen = settings.load()
    task = argument("a task of hrrlm.extrinsic", chosen.extrinsic)
    knobs = settings.extrinsic(chosen, learn)[task]
    train, test = read_task(task, paths.DATA / knobs.pop("source"))
    tables = []
    for variant, name in ((chosen.vectors, "hrrlm"), (chosen.baseline, "hrrlm-baseline")):
        vectors = store.load(paths.DATA / "vectors" / name)
        counts = learn(
            vectors.key_to_index,
            vectors.vectors,
            train,
            test,
            "data/scratch",
            spans_count=task == "chunking",
            seed=chosen.seeds[0],
            threads=threads(),
            **knobs,
        )
        print(f"{task}, {variant}: {counts.score():.3f}", flush=True)
        tables.append(pa.table({"variant": [variant] * len(counts.gold), **counts._asdict()}))
    with new_file(paths.extrinsic(task)) as partial:
        pq.write_table(pa.concat_tables(tables), partial, compression="zstd")


if __name__ == "__main__":
    run(main)
