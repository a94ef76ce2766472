"""Names by types from a made Freebase dump, read, joined and written, beside `zcat | wc -l` of the same file."""

import os
import subprocess
import tempfile
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

from benchmarks.timing import line, paired
from repline.corpora.freebase import made_dump
from repline.corpora.freebase.dumps import write_dump

ENTITIES = int(os.environ.get("BENCHMARK_ENTITIES", "60000"))  # 260 MB of text; 460000 for 2 GB
GOALS = {"zcat": 0.5, "processes": 1.7}
TYPE_MAP = "stages/name_types/freebase_types.tsv"


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = {}
        for members in (False, True):
            place = folder / f"members-{members}"
            place.mkdir()
            made_dump.write(place, entities=ENTITIES, members=members)
            paths[members] = place / made_dump.FILE

        def ours(members: bool, processes: int = 1) -> None:
            knobs = {"kind": "freebase", "type_map": TYPE_MAP, "scratch": folder / "scratch"}
            write_dump(paths[members], folder / "out", processes=processes, **knobs)

        def counted() -> None:
            command = f"zcat '{paths[False]}' | wc -l"
            subprocess.run(command, shell=True, check=True, stdout=subprocess.DEVNULL)

        size = paths[False].stat().st_size
        print(f"{ENTITIES:,} entities, {size / 1e6:,.0f} MB compressed")
        line(
            "names by types from one gzip stream, beside zcat | wc -l",
            *paired(lambda: ours(False), counted, 3),
            GOALS["zcat"],
        )
        two, one = paired(lambda: ours(True, 2), lambda: ours(True), 3)
        line("names by types from many gzip members, two processes beside one", two, one, GOALS["processes"])


if __name__ == "__main__":
    main()
