"""data/models/chunk_tagger -> data/evaluation/chunks/metrics.json: precision, recall and F1 on the test sentences.

Where people annotated the gold chunks (CoNLL-2000), the rules are measured too, on spaCy's parse of the words. Where
the rules made them, the scores say only how well the taggers learn the rules.
"""

from repline.corpora.annotation import parsed
from repline.corpora.chunks.chunk_tagger import ChunkTagger
from repline.corpora.chunks.chunked_sentences import read_chunked
from repline.corpora.chunks.parse_chunks import chunk_tags
from repline.evaluation.chunking import chunk_scores
from repline.files import write_json
from stages import run
from stages.chunks import settings
from stages.chunks.text_forms import in_form, vocabulary_of
from stages.folders import DATA, EVALUATION, MODELS

METRICS = EVALUATION / "chunks" / "metrics.json"


def main() -> None:
    tagger = settings.load().tagger
    source = DATA / tagger.source
    train, test = read_chunked(source, sentences=tagger.sentences, test_share=tagger.test_share)
    words = vocabulary_of(tagger.vocabulary)
    metrics: dict = {"train_sentences": len(train), "test_sentences": len(test), "tagger": {}}
    for form in settings.FORMS:
        text = in_form(test, form, words)
        trained = ChunkTagger.load(MODELS / "chunk_tagger" / form)
        metrics["tagger"][form] = chunk_scores(text.chunks, trained.predict(text.tokens, text.tags))
    if not any(source.glob("part-*.parquet")):
        for name, form in (("rules", "words"), ("rules_running", "running")):
            text = in_form(test, form, words)
            metrics[name] = chunk_scores(text.chunks, [chunk_tags(*sentence) for sentence in parsed(text.tokens)])
    write_json(METRICS, metrics)
    shown = {form: scores["overall"]["f1"] for form, scores in metrics["tagger"].items()}
    if "rules" in metrics:
        shown |= {"rules": metrics["rules"]["overall"]["f1"], "rules, NP": metrics["rules"]["NP"]["f1"]}
    print(f"{METRICS}: F1 " + ", ".join(f"{name} {value:.4f}" for name, value in shown.items()))


if __name__ == "__main__":
    run(main)
