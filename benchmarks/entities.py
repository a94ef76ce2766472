"""Named entities of a corpus, read and written, compared with spaCy's own nlp.pipe with the same components."""

import os
import tempfile
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.timing import line, paired
from repline.corpora.entities.entity_corpus import write_entities
from repline.corpora.entities.entity_recognition import EntityRecogniser
from repline.corpora.entities.recipes import RULE_SETS, EntityCorpus
from repline.reading.text_files import numbered_lines

GOAL = 0.9
STORIES = "test/test_data/lee_background.cor"  # of gensim: 300 news stories
PLACE_NAMES = ("Australia", "Afghanistan", "Sydney", "Israel", "Kabul", "New South Wales", "Washington", "Indonesia")


def main() -> None:
    import gensim

    stories = [text for _, text in numbered_lines(Path(gensim.__file__).parent / STORIES) if text.strip()]
    sentences = [f"{part.strip()} ." for text in stories for part in text.split(". ") if part.strip()]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "names.tsv").write_text("".join(f"{name}\tGPE\twordnet\n" for name in PLACE_NAMES))
        # as long as the real gazetteer
        town_lines = "".join(f"Town {number}ville\tGPE\tcities\n" for number in range(15_000))
        with open(folder / "names.tsv", "a", encoding="utf-8") as file:
            file.write(town_lines)
        peer = EntityRecogniser([folder / "names.tsv"]).pipeline
        words = [[token.text for token in document if not token.is_space] for document in map(peer.make_doc, sentences)]
        tokens = sum(map(len, words))
        rows = {"doc_id": ["a"] * len(words), "sentence_id": pa.array(range(len(words)), pa.int32()), "tokens": words}
        (folder / "in").mkdir()
        pq.write_table(pa.table(rows), folder / "in/part-00000.parquet")
        print(f"{len(words):,} sentences of news, {tokens:,} tokens, one process; nlp.pipe writes nothing")
        for what, rules in (("recogniser and all rules", RULE_SETS), ("recogniser alone", ())):
            nlp = EntityRecogniser([folder / "names.tsv"], rules).pipeline
            ours, theirs = paired(
                lambda rules=rules: write_entities(
                    folder / "in", folder / "out", EntityCorpus(rules=list(rules)), gazetteers=[folder / "names.tsv"]
                ),
                lambda nlp=nlp: [len(document.ents) for document in nlp.pipe(sentences)],
                rounds=3,
            )
            line(f"entities of a corpus on disk, {what}, against nlp.pipe", ours, theirs, GOAL)
            print(f"  {tokens / ours:,.0f} tokens a second here, {tokens / theirs:,.0f} there")


if __name__ == "__main__":
    main()
