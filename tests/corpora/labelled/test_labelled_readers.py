"""Each reader on a few records: texts, labels, parts, and one sentence for a file that is not what it should be."""

import json
import zipfile

import pyarrow.parquet as pq
import pytest

from repline.cards import read_card
from repline.corpora.labelled.classified_texts import read_texts
from repline.corpora.labelled.collections import negation_toy, task_turns
from repline.corpora.labelled.collections.bible_chapters import read_chapters
from repline.corpora.labelled.collections.dialogues import read_chat_or_task, read_clinc, read_sgd
from repline.corpora.labelled.collections.labelled_tsv import read_table
from repline.corpora.labelled.collections.newsgroups import read_newsgroups
from repline.corpora.labelled.collections.reviews import read_cad_sentiment, read_chinese_reviews, read_movie_reviews
from repline.corpora.labelled.forms import READERS
from repline.corpora.labelled.labelled_corpus import write_labelled
from repline.corpora.labelled.recipes import LabelledCorpus, SplitCorpus
from repline.corpora.labelled.split_corpus import write_split
from repline.errors import InputError
from repline.reading.text_cleaning import INVISIBLE
from repline.reading.wrong_records import LeftOut
from repline.segmentation.document_sentences import sentences_of


def test_posts_lose_their_headers(tmp_path):
    post = {"id": 7, "label": "rec.autos", "text": "From: a\nNewsgroups: rec.autos\n\nIt runs.\n\nWell.\n"}
    for part in ("train", "test"):
        (tmp_path / f"20news-bydate-{part}.jsonl").write_text(json.dumps(post) + "\n\n")
    train, test = read_newsgroups(tmp_path)
    assert train == ("train-1", "It runs.\n\nWell.", {"group": ["rec.autos"], "field": ["rec"]}, "train")
    assert test.part == "test"
    (tmp_path / "20news-bydate-train.jsonl").write_text('{"id": 7}\n')
    with pytest.raises(InputError, match="line 1: expected a record with id, label and text"):
        list(read_newsgroups(tmp_path))


def test_film_reviews_with_breaks_and_quotes(tmp_path):
    for part in ("train", "dev", "test"):
        (tmp_path / f"orig_{part}.tsv").write_text('Sentiment\tText\nNegative\t"So ""good""."<br /><br />Not.\n')
    documents = list(read_cad_sentiment(tmp_path))
    assert [document.part for document in documents] == ["train", "dev", "test"]
    assert documents[0].text == 'So "good".\nNot.'
    assert documents[0].labels == {"sentiment": ["negative"]}
    (tmp_path / "orig_dev.tsv").write_text("Neutral\tWell.\n")
    with pytest.raises(InputError, match=r"orig_dev.tsv, line 1: expected Positive or Negative"):
        list(read_cad_sentiment(tmp_path))


def test_movie_reviews_of_an_archive(tmp_path):
    with pytest.raises(InputError, match="the reviews cannot be read"):
        list(read_movie_reviews(tmp_path))
    with zipfile.ZipFile(tmp_path / "movie_reviews.zip", "w") as archive:
        archive.writestr("movie_reviews/pos/cv000_1.txt", "good . \nfine . \n")
        archive.writestr("movie_reviews/neg/cv001_2.txt", "bad . ")
        archive.writestr("movie_reviews/README", "about")
    documents = {
        document.id: (document.text, document.labels["sentiment"]) for document in read_movie_reviews(tmp_path)
    }
    assert documents == {"cv000_1": ("good . \nfine .", ["positive"]), "cv001_2": ("bad .", ["negative"])}


def test_chinese_reviews(tmp_path):
    (tmp_path / "neg.txt").write_text("质量不好。\n\n")
    (tmp_path / "pos.txt").write_text("很好！\n马克&#183;吐温 &#32431;&#8203;棉&#160;\n&#160;\n")
    left_out = LeftOut()
    reviews = read_chinese_reviews(tmp_path, on_error=left_out)
    assert [(document.text, document.labels["sentiment"]) for document in reviews] == [
        ("质量不好。", ["negative"]),
        ("很好！", ["positive"]),
        ("马克·吐温 纯棉", ["positive"]),
    ]
    assert left_out.counts() == {INVISIBLE: 1}


DIALOGUE = {
    "dialogue_id": "1_0",
    "services": ["Flights_1"],
    "turns": [
        {
            "speaker": "USER",
            "utterance": "A flight, please.",
            "frames": [{"service": "Flights_1", "state": {"active_intent": "SearchOnewayFlight"}}],
        },
        {"speaker": "SYSTEM", "utterance": "Where to?", "frames": []},
    ],
}


def test_turns_of_users_alone(tmp_path):
    path = tmp_path / "sgd_flights_hotels.jsonl"
    path.write_text("\n" + json.dumps(DIALOGUE) + "\n \n")
    (turn,) = read_sgd(tmp_path)
    assert (turn.id, turn.text) == ("1_0-0", "A flight, please.")
    assert turn.labels == {"service": ["Flights"], "intent": ["SearchOnewayFlight"]}
    path.write_text('{"turns": [{}]}\n')
    with pytest.raises(InputError, match="line 1: expected a dialogue"):
        list(read_sgd(tmp_path))


def test_questions_with_intents_and_out_of_scope(tmp_path):
    data = {"train": [["my balance", "balance"]], "val": [], "oos_test": [["who won", "oos"]]}
    (tmp_path / "clinc150_data_small.json").write_text(json.dumps(data))
    (tmp_path / "clinc150_domains.json").write_text(json.dumps({"banking": ["balance"]}))
    first, second = read_clinc(tmp_path)
    assert (first.labels, first.part) == ({"intent": ["balance"], "domain": ["banking"]}, "train")
    assert (second.labels, second.part) == ({"intent": ["oos"], "domain": ["oos"]}, "test")
    (tmp_path / "clinc150_domains.json").write_text("{}")
    with pytest.raises(InputError, match="question 1 of train: expected \\[text, intent\\] of an intent with a domain"):
        list(read_clinc(tmp_path))


def test_chat_beside_made_turns_or_real_ones(tmp_path):
    chat = {"c": {"messages": [[{"text": "hi "}, {"text": ""}], [{"text": "how are you"}]]}}
    (tmp_path / "dataset.json").write_text(json.dumps(chat))
    with pytest.raises(InputError, match=r"expected task_turns.tsv or sgd_flights_hotels.jsonl, found neither"):
        list(read_chat_or_task(tmp_path))
    (tmp_path / "sgd_flights_hotels.jsonl").write_text(json.dumps(DIALOGUE) + "\n")
    documents = [(document.text, document.labels["act"]) for document in read_chat_or_task(tmp_path)]
    assert documents == [("hi", ["chat"]), ("how are you", ["chat"]), ("A flight, please.", ["task"])]
    task_turns.write(tmp_path, turns=30)
    made_texts = [document.text for document in read_chat_or_task(tmp_path) if document.labels["act"] == ["task"]]
    assert len(set(made_texts)) == 30
    assert not any("{" in text for text in made_texts)


def test_chapters_have_verses_without_notes(tmp_path):
    (tmp_path / "key_genre_english.csv").write_text('"field","field"\n"6","Acts"\n')
    (tmp_path / "key_english.csv").write_text('"f","f","f","f"\n"44","Acts","NT","6"\n')
    verses = ['"1","44","1","1","The first{A note.} book"', '"2","44","1","2","{None.}"', '"3","44","2","1","Now"']
    (tmp_path / "t_web.csv").write_text("\n".join(['"f","f","f","f","f"', *verses]) + "\n")
    documents = list(read_chapters(tmp_path))
    assert [(document.id, document.text) for document in documents] == [("Acts 1", "The first book"), ("Acts 2", "Now")]
    assert documents[0].labels == {"genre": ["history"], "book": ["Acts"]}
    (tmp_path / "t_web.csv").write_text('"f","f","f","f","f"\n"1","45","1","1","x"\n')
    with pytest.raises(InputError, match=r"book '45', .* has no genre"):
        list(read_chapters(tmp_path))


def test_the_negation_toy_hides_its_label_from_words_and_pairs(tmp_path):
    negation_toy.write(tmp_path, train=400, dev=40, test=40)
    rows = list(read_table(tmp_path / negation_toy.FILE))
    assert len({row.text for row in rows}) == len(rows) == 480
    assert sum(row.label == "positive" for row in rows) == 240
    for row in rows:
        sentences = [sentence.split() for sentence in row.text.split(" . ")]
        signs = [word for words in sentences for word in words if word in ("good", "bad", "not", "indeed")]
        assert row.label == ("positive" if set(signs) in ({"good", "indeed"}, {"bad", "not"}) else "negative")
        (words,) = [words for words in sentences if signs[0] in words]
        assert abs(words.index(signs[0]) - words.index(signs[1])) >= 4


@pytest.mark.parametrize(
    ("text", "splitting", "expected"),
    [
        (
            "It doesn't work... at 2.5 stars!",
            "marks",
            [["it", "doesnt", "work", "."], ["at", "2", "."], ["5", "stars", "!"]],
        ),
        ("Well?! (a_b)\n. ...", "marks", [["well", "?"], ["a_b", "."]]),
        ("In 2.5\n\nAnd.", "lines", [["in", "2", ".", "5"], ["and", "."]]),
        ("What's up?", "whole", [["what's", "up", "?"]]),
        ("很好。不", "chinese", [["很", "好", "。"], ["不"]]),
        (" ... ", "marks", []),
    ],
)
def test_sentences(text, splitting, expected):
    assert sentences_of(text, splitting) == expected


def test_a_corpus_is_split_by_label_and_keeps_its_parts(tmp_path):
    rows = [
        f"{part}\t{label}\t{label} {part} number{row}."
        for label in ("spam", "ham")
        for part, size in (("train", 6), ("test", 2))
        for row in range(size)
    ]
    (tmp_path / "mine.tsv").write_text("\n".join(["part\tlabel\ttext", *rows, "train\tham\tham test number0."]) + "\n")
    write_labelled(tmp_path / "mine.tsv", tmp_path / "corpus", LabelledCorpus(form="tsv"))
    assert pq.read_schema(tmp_path / "corpus/part-00000.parquet").names == ["doc_id", "text", "part", "label"]
    write_split(tmp_path / "corpus", tmp_path / "split", SplitCorpus(label="label", splitting="marks", dev=2))
    texts = read_texts(tmp_path / "split")
    assert {part: len(ids) for part, ids in texts.ids.items()} == {"train": 10, "dev": 2, "test": 4}
    words = {part: set(map(tuple, texts.flat(part))) for part in texts.ids}
    assert not (words["train"] & words["test"] or words["train"] & words["dev"] or words["dev"] & words["test"])
    assert read_card(tmp_path / "split")["counts"]["left_out_same_words"] == 1
    training = pq.read_table(tmp_path / "split/part-00000.parquet")["tokens"].to_pylist()
    assert sorted(training) == sorted(texts.flat("train"))
    with pytest.raises(InputError, match="expected the column genre, found doc_id, text, part, label"):
        write_split(tmp_path / "corpus", tmp_path / "other", SplitCorpus(label="genre", splitting="marks"))
    with pytest.raises(InputError, match="expected two labels or more"):
        write_split(tmp_path / "corpus", tmp_path / "other", SplitCorpus(label="label", splitting="marks", only=["s*"]))
    assert not (tmp_path / "other").exists()


def test_benchmarks_are_forms_too(tmp_path):
    (tmp_path / "custrev.neg").write_text("it broke\n")
    (tmp_path / "custrev.pos").write_text("it works\n")
    documents = list(READERS["CR"](tmp_path))
    assert [(document.text, document.labels["label"], document.part) for document in documents] == [
        ("it broke", ["negative"], ""),
        ("it works", ["positive"], ""),
    ]
    with pytest.raises(InputError, match="there is no such folder"):
        list(READERS["CR"](tmp_path / "absent"))


def test_json_lines_are_labelled_texts(tmp_path):
    path = tmp_path / "mine.jsonl"
    path.write_text(
        '{"text": "a\\tb", "label": "x"}\n\n{"label": "y", "text": "c", "part": "test"}\n', encoding="utf-8"
    )
    assert list(read_table(path)) == [(1, "x", "a\tb", ""), (3, "y", "c", "test")]
    path.write_text(json.dumps({"label": '"q"', "text": '"a ""b"" c"'}), encoding="utf-8")
    assert [(row.label, row.text) for row in read_table(path)] == [('"q"', '"a ""b"" c"')]
    path.write_text('{"text": "a", "label": "x"}\n{"text": "b"}\n', encoding="utf-8")
    with pytest.raises(InputError, match=r'mine\.jsonl, line 2: expected a JSON object with "label" and "text"'):
        list(read_table(path))
    assert [row.text for row in read_table(path, on_error="salvage")] == ["a"]


def test_quotation_marks_of_a_table_are_no_part_of_labels_but_of_quotations(tmp_path):
    path = tmp_path / "mine.tsv"
    path.write_text('"pos"\t"the man, ""yes"""\n"neg"\t"Go," she said.\nneg\t"Go away."\n', encoding="utf-8")
    rows = [row[1:3] for row in read_table(path)]
    assert rows == [("pos", 'the man, "yes"'), ("neg", '"Go," she said.'), ("neg", '"Go away."')]


@pytest.mark.parametrize(
    "head", ["sentence\tlabel", "Review\tSentiment", "text\tclass", "text\tcategory", "id\tsentence\tlabel"]
)
def test_a_head_has_its_columns_in_any_order(head, tmp_path):
    path = tmp_path / "mine.tsv"
    fields = ["1", "hide new secretions", "0"][-len(head.split("\t")) :]
    path.write_text(f"{head}\n" + "\t".join(fields) + "\n", encoding="utf-8")
    assert [row[1:] for row in read_table(path)] == [("0", "hide new secretions", "")]
    order = slice(None, None, -1)
    reversed_lines = ("\t".join(line.split("\t")[order]) for line in (head, "\t".join(fields)))
    path.write_text("\n".join(reversed_lines) + "\n", encoding="utf-8")
    assert [row[1:] for row in read_table(path)] == [("0", "hide new secretions", "")]


@pytest.mark.parametrize(
    ("head", "problem"),
    [
        ("sentence\tscore", "line 1: expected a head with label and text .*, found 'sentence"),
        ("class\tbody", "line 1: expected a head with label and text .*, found 'class"),
        ("sentence\tlable", "'lable' is nearly the name 'label'"),
        ('"sentence"\t"class"', "the names of the columns stand in quotation marks"),
    ],
)
def test_a_head_with_half_of_its_columns_is_refused(head, problem, tmp_path):
    path = tmp_path / "mine.tsv"
    path.write_text(f"{head}\nhide new secretions\t0\n", encoding="utf-8")
    with pytest.raises(InputError, match=problem):
        list(read_table(path))
    assert len(list(read_table(path, head="no"))) == 2
