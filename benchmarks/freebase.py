"""Names by types from a made Freebase dump, read, joined and written, compared with `zcat | wc -l` of the same file."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

from benchmarks.timing import keep, line, paired
from repline.corpora.freebase import made_dump
from repline.corpora.freebase.dumps import write_dump
from repline.corpora.freebase.recipes import Dump

ENTITIES = 60_000  # 260 MB of text
LARGE = int(os.environ.get("BENCHMARK_ENTITIES", "460000"))  # 2 GB of text; 7,800,000 for 2 GB compressed
GOALS = {"zcat": 0.5, "processes": 1.7}
TYPE_MAP = "stages/name_types/freebase_types.tsv"
CHILD = """
import json, sys, time
from repline.corpora.freebase.dumps import write_dump
from repline.corpora.freebase.recipes import Dump
path, out, scratch, type_map = sys.argv[1:]
started = time.perf_counter()
card = write_dump(out, Dump(source=path, kind="freebase", type_map=type_map), "", scratch=scratch)
seconds = time.perf_counter() - started
peak = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(json.dumps({"seconds": seconds, "megabytes": int(peak) / 1024}))
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = {}
        for members in (False, True):
            dump_folder = folder / f"members-{members}"
            dump_folder.mkdir()
            made_dump.write(dump_folder, entities=LARGE if members else ENTITIES, members=members)
            paths[members] = dump_folder / made_dump.FILE

        def ours(members: bool, processes: int = 1) -> None:
            dump = Dump(source=str(paths[members]), kind="freebase", type_map=TYPE_MAP)
            write_dump(folder / "out", dump, "", scratch=folder / "scratch", processes=processes)

        def counted() -> None:
            command = f"zcat '{paths[False]}' | wc -l"
            subprocess.run(command, shell=True, check=True, stdout=subprocess.DEVNULL)

        size = paths[False].stat().st_size
        print(f"{ENTITIES:,} entities, {size / 1e6:,.0f} MB compressed")
        line(
            "names by types from one gzip stream, against zcat | wc -l",
            *paired(lambda: ours(False), counted, 3),
            GOALS["zcat"],
        )
        two_processes, one_process = paired(lambda: ours(True, 2), lambda: ours(True), 3)
        line(
            "names by types from gzip members, 2 GB of text, two processes against one",
            two_processes,
            one_process,
            GOALS["processes"],
            "A fifth of one process's time is the join, scratch files and the disk: a second one does not shorten it.",
        )
        _memory(folder)


def _memory(folder: Path) -> None:
    """Seconds and peak memory of a process that reads one gzip stream, small and large."""
    peaks = []
    for entities in (ENTITIES, LARGE):
        made_dump.write(folder, entities=entities)
        path = folder / made_dump.FILE
        command = [sys.executable, "-c", CHILD, path, folder / "out", folder / "scratch", TYPE_MAP]
        measured = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        size, spent, peak = path.stat().st_size / 1e6, measured["seconds"], measured["megabytes"]
        print(f"  {entities:,} entities, {size:,.0f} MB compressed: {spent:.1f} s, peak memory {peak:.0f} MB")
        peaks.append(peak)
    keep(f"peak memory with {LARGE:,} made entities / with {ENTITIES:,} (less is better)", peaks[1] / peaks[0])


if __name__ == "__main__":
    main()
