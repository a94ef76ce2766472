"""Wikipedia dumps: our extraction compared with gensim's, mwparserfromhell's text, and plain bzip2 decompression."""

import bz2
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import mwparserfromhell
import pyarrow.parquet as pq
from gensim.scripts.segment_wiki import segment_and_write_all_articles

from benchmarks.timing import keep
from repline.corpora.annotation import annotated
from repline.corpora.wikipedia.dump_files import CHUNK, unpacked
from repline.corpora.wikipedia.extraction import extract
from repline.corpora.wikipedia.mediawiki_xml import Page, Skeleton, read_pages
from repline.corpora.wikipedia.parallel_bzip2 import in_parallel

EXCERPT = "test/test_data/enwiki-latest-pages-articles1.xml-p000000010p000030302-shortened.bz2"
REPEATS = 60
STREAM_PAGES = 100
TOKEN = re.compile(r"\w+|[^\w\s]")
LIMIT = "The parser of wikitext takes the rest; gensim's takes three times as long."
LEFTOVERS = ("[[", "{{", "<ref", "|")
# what neither side counts: it is no running text of the article for us, and mwparserfromhell keeps parts of it
UNCOUNTED = {
    "table",
    "ref",
    "references",
    "gallery",
    "math",
    "timeline",
    "source",
    "syntaxhighlight",
    "imagemap",
    "score",
}
CHILD = """
import json, sys, time
from repline.corpora.wikipedia import dump_files
from repline.corpora.wikipedia.extraction import extract
if __name__ == "__main__":
    path, folder, processes, reader = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
    if reader == "bz2":
        dump_files.in_parallel = lambda path, threads, chunk, alone: alone()
    started = time.perf_counter()
    extract(path, folder, processes=processes)
    seconds = time.perf_counter() - started
    peak = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
    print(json.dumps({"seconds": seconds, "megabytes": int(peak) / 1024}))
"""


def main() -> None:
    dump = Path(importlib.util.find_spec("gensim").submodule_search_locations[0]) / EXCERPT
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _speed(dump, folder)
        _many_pages(dump, folder)
        _quality(dump, folder)


def _speed(dump: Path, folder: Path) -> None:
    packed = dump.read_bytes()
    megabytes = len(bz2.decompress(packed)) / 1e6
    ways = {
        "bzip2 alone (the limit)": lambda: bz2.decompress(packed),
        "repline, one process": lambda: extract(dump, folder / "articles"),
        "gensim segment_wiki, one worker": lambda: segment_and_write_all_articles(
            str(dump), str(folder / "gensim.json.gz"), min_article_character=0, workers=1
        ),
    }
    seconds = _best(ways)
    limit, ours, gensim = seconds.values()
    print(f"dump -> clean text on disk, {megabytes:.1f} MB of XML, best of five")
    for way, spent in seconds.items():
        print(f"  {way:32} {megabytes / spent:6.1f} MB/s")
    keep("dump to clean text, against gensim's segment_wiki, one process each", gensim / ours)
    keep("dump to clean text, share of the speed of bzip2 alone", limit / ours, 0.5, LIMIT)
    print(f"  repline is {gensim / ours:.1f} x gensim and {limit / ours:.2f} x bzip2 alone")


def _best(ways: dict[str, Callable[[], object]], times: int = 5) -> dict[str, float]:
    """Seconds of the fastest of `times` runs of each way; the ways take turns, so that a noisy machine disturbs all."""
    seconds: dict[str, list[float]] = {way: [] for way in ways}
    for _ in range(times):
        for way, run in ways.items():
            started = time.perf_counter()
            run()
            seconds[way].append(time.perf_counter() - started)
    return {way: min(spent) for way, spent in seconds.items()}


def _many_pages(dump: Path, folder: Path) -> None:
    header, pages = _pages_of(dump)
    xml = "".join(_renumbered(pages, repeat) for repeat in range(REPEATS))
    end = "</mediawiki>\n"
    (folder / "single.xml.bz2").write_bytes(bz2.compress((header + xml + end).encode()))
    groups = re.findall(rf"(?s)(?:.*?</page>\s*){{1,{STREAM_PAGES}}}", xml)
    streams = [bz2.compress(part.encode()) for part in (header, *groups, end)]
    (folder / "multistream.xml.bz2").write_bytes(b"".join(streams))
    print(f"{REPEATS} times the pages ({len(xml.encode()) / 1e6:.0f} MB of XML)")
    once = _child(dump, folder, 1)
    print(f"  peak memory of one process: {once['megabytes']:.0f} MB for 1 x", end="")
    for name in ("single", "multistream"):
        path = folder / f"{name}.xml.bz2"
        alone, shared = (min((_child(path, folder, processes) for _ in range(2)), key=_seconds) for processes in (1, 2))
        if name == "single":
            print(f", {alone['megabytes']:.0f} MB for {REPEATS} x")
        print(f"  {name}: one process {alone['seconds']:.1f} s, two {shared['seconds']:.1f} s", end="")
        keep(f"two processes against one, {name} dump", alone["seconds"] / shared["seconds"], 1.7)
        print(f" ({alone['seconds'] / shared['seconds']:.2f} x)")
    together_seconds = min(_both(folder / "multistream.xml.bz2", folder) for _ in range(2))
    ratio = 2 * alone["seconds"] / together_seconds
    print(f"  two extractions that share nothing, at the same time: {together_seconds:.1f} s ({ratio:.2f} x)")
    keep(
        "two extractions that share nothing against one after another (what the machine allows)",
        ratio,
    )
    _readers(folder / "single.xml.bz2", folder)


def _readers(path: Path, folder: Path) -> None:
    """Python's bz2 in one thread compared with rapidgzip in two, on a dump of one stream."""
    readers = {
        "bz2": lambda: sum(map(len, _alone(path))),
        "rapidgzip": lambda: sum(map(len, in_parallel(path, 2, CHUNK, lambda: _alone(path)))),
    }
    alone = _best(readers, 3)
    whole = {reader: min(_child(path, folder, 2, reader)["seconds"] for _ in range(2)) for reader in readers}
    print("  one stream read by bz2 in one thread, by rapidgzip in two")
    for what, spent in (("decompression alone", alone), ("extraction by two processes", whole)):
        ratio = spent["bz2"] / spent["rapidgzip"]
        print(f"    {what:28} {spent['bz2']:.1f} s, {spent['rapidgzip']:.1f} s ({ratio:.2f} x)")
        keep(f"one bzip2 stream by rapidgzip in two threads against bz2, {what}", ratio)


def _alone(path: Path) -> Iterator[bytes]:
    with open(path, "rb") as file:
        yield from unpacked(file)


def _seconds(measured: dict[str, float]) -> float:
    return measured["seconds"]


def _both(path: Path, folder: Path) -> float:
    """Seconds of the slower of two whole extractions by one process each, at the same time."""
    with ThreadPoolExecutor(2) as threads:
        return max(map(_seconds, threads.map(lambda into: _child(path, folder, 1, into=into), ("many", "more"))))


def _child(path: Path, folder: Path, processes: int, reader: str = "rapidgzip", into: str = "many") -> dict[str, float]:
    script = folder / "child.py"
    script.write_text(CHILD)
    command = [sys.executable, str(script), str(path), str(folder / into), str(processes), reader]
    return json.loads(subprocess.run(command, capture_output=True, check=True, text=True, env=_environment()).stdout)


def _environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}


def _pages_of(dump: Path) -> tuple[str, str]:
    xml = bz2.decompress(dump.read_bytes()).decode()
    start, end = xml.index("<page>"), xml.rindex("</mediawiki>")
    return xml[:start], xml[start:end]


def _renumbered(pages: str, repeat: int) -> str:
    return re.sub(r"(</ns>\s*<id>)(\d+)", lambda match: f"{match[1]}{int(match[2]) + repeat * 1_000_000}", pages)


def _quality(dump: Path, folder: Path) -> None:
    header, pages = _pages_of(dump)
    articles: dict[str, Page] = {}
    site = Skeleton().header(header.encode())
    read_pages(pages.encode(), site, lambda page: articles.setdefault(str(page.id), page) if page.is_article else None)
    rows = pq.read_table(sorted((folder / "articles").glob("part-*.parquet"))).to_pylist()
    shared = ours_all = theirs_all = sentences = leftover = 0
    for row in rows:
        paragraphs = [text for section in row["sections"] for text in section["paragraphs"]]
        ours = Counter(TOKEN.findall("\n".join(paragraphs)))
        theirs = Counter(TOKEN.findall(_reference(articles[row["doc_id"]].text)))
        shared, ours_all, theirs_all = (
            shared + (ours & theirs).total(),
            ours_all + ours.total(),
            theirs_all + theirs.total(),
        )
        for split in annotated(paragraphs, "xx"):
            sentences += len(split)
            leftover += sum(any(mark in " ".join(sentence["tokens"]) for mark in LEFTOVERS) for sentence in split)
    precision, recall = shared / ours_all, shared / theirs_all
    print(f"text of {len(rows)} articles against mwparserfromhell's strip_code")
    print(f"  token F1 {2 * precision * recall / (precision + recall):.4f}", end="")
    print(f" (precision {precision:.4f}, recall {recall:.4f}, {ours_all:,} tokens)")
    print(f"  {leftover} of {sentences:,} sentences hold one of {' '.join(LEFTOVERS)}", end="")
    print(f": {1000 * leftover / sentences:.2f} in 1,000")


def _reference(text: str) -> str:
    """mwparserfromhell's text without tables, references, files, categories, language links and headings."""
    code = mwparserfromhell.parse(text)
    for node in code.filter(recursive=True, matches=_uncounted):
        try:
            code.remove(node)
        except ValueError:
            continue  # it went with what it stood in
    return code.strip_code()


def _uncounted(node: object) -> bool:
    if isinstance(node, mwparserfromhell.nodes.Heading | mwparserfromhell.nodes.Comment):
        return True
    if isinstance(node, mwparserfromhell.nodes.Tag):
        return str(node.tag).strip().lower() in UNCOUNTED
    if isinstance(node, mwparserfromhell.nodes.Wikilink):
        prefix = str(node.title).strip().lower().partition(":")
        return bool(prefix[1]) and (
            prefix[0] in ("file", "image", "category") or bool(re.fullmatch("[a-z]{2,3}", prefix[0]))
        )
    return False


if __name__ == "__main__":
    main()
