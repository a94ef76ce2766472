import pyarrow as pa
import pytest

from repline.corpora import annotation
from repline.corpora.annotation import (
    annotated,
    annotations_of,
    sentence_rows,
    sentence_texts,
    split_at_full_stops,
)
from repline.segmentation import chinese, japanese

ALL = ["lemma", "pos", "tag", "head", "dep", "chunk", "entity"]


def tokens(texts, language):
    return [[sentence["tokens"] for sentence in sentences] for sentences in annotated(texts, language)]


def test_english_has_every_annotation():
    (sentences,) = annotated(["The cats of Paris sleep. Angela Merkel saw them in 2015."], "en")
    first, second = sentences
    assert first["tokens"] == ["The", "cats", "of", "Paris", "sleep", "."]
    assert first["lemma"] == ["the", "cat", "of", "Paris", "sleep", "."]
    assert first["pos"] == ["DET", "NOUN", "ADP", "PROPN", "VERB", "PUNCT"]
    assert first["tag"] == ["DT", "NNS", "IN", "NNP", "VBP", "."]
    assert first["head"] == [1, 4, 1, 2, -1, 4]
    assert first["dep"] == ["det", "nsubj", "prep", "pobj", "ROOT", "punct"]
    assert first["chunk"] == ["B-NP", "I-NP", "O", "B-NP", "O", "O"]
    assert first["entity"] == ["O", "O", "O", "B-GPE", "O", "O"]
    assert second["entity"][:2] == ["B-PERSON", "I-PERSON"]
    assert second["head"].count(-1) == 1


def test_names_are_left_out_where_nobody_asks_for_them():
    (with_names,) = annotated(["Angela Merkel saw the cats of Paris."], "en")
    (without,) = annotated(["Angela Merkel saw the cats of Paris."], "en", entities=False)
    assert [
        {name: values for name, values in sentence.items() if name != "entity"} for sentence in with_names
    ] == without
    rows = sentence_rows([("7", [("", ["One cat saw Paris."])])], "en", entities=False)
    assert rows.schema.names == ["doc_id", "sentence_id", "section", "tokens", *ALL[:-1]] and rows.num_rows == 1
    assert annotations_of("en", entities=False) == ALL[:-1]


def test_every_text_has_its_sentences_even_when_it_has_none(monkeypatch):
    monkeypatch.setattr(annotation, "LONGEST_TEXT", 500)
    sentences = tokens(["One cat. Two cats.", "", " ", "x " * 600, "Three cats."], "en")
    assert [len(sentences) > 0 for sentences in sentences] == [True, False, False, True, True]
    assert sentences[4] == [["Three", "cats", "."]]
    assert sum(map(len, sentences[3])) == 600
    assert len(sentences[0]) == 2


def test_white_space_is_no_token_and_heads_still_point_at_words():
    (sentences,) = annotated(["The \u2009 cat  saw\n\nthe dog ."], "en")
    for sentence in sentences:
        assert all(token.strip() for token in sentence["tokens"])
        assert all(-1 <= head < len(sentence["tokens"]) for head in sentence["head"])
        assert len({len(values) for values in sentence.values()}) == 1


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("de", "Die Katze schläft. Der Hund auch!", [["Die", "Katze", "schläft", "."], ["Der", "Hund", "auch", "!"]]),
        ("bg", "Котката спи. Кучето?", [["Котката", "спи", "."], ["Кучето", "?"]]),
        ("hi", "बिल्ली सोती है। कुत्ता भी।", [["बिल्ली", "सोती", "है", "।"], ["कुत्ता", "भी", "।"]]),
        ("zh", "我来到北京清华大学。你呢？", [["我", "来到", "北京", "清华大学", "。"], ["你", "呢", "？"]]),
        (
            "ja",
            "私は東京大学に行きました。はい！",
            [["私", "は", "東京", "大学", "に", "行き", "まし", "た", "。"], ["はい", "！"]],
        ),
        ("xx", "One cat. Two dogs.", [["One", "cat", "."], ["Two", "dogs", "."]]),
        ("qqq", "One cat. Two dogs.", [["One", "cat", "."], ["Two", "dogs", "."]]),
        ("ko", "나는 간다. 너는?", [["나는", "간다", "."], ["너는", "?"]]),
        ("zh-tw", "我來到北京。", [["我來", "到", "北京", "。"]]),
    ],
)
def test_other_languages_have_tokens_only(language, text, expected):
    (sentences,) = annotated([text], language)
    assert [sentence["tokens"] for sentence in sentences] == expected
    assert all(set(sentence) == {"tokens"} for sentence in sentences)
    assert annotations_of(language) == []


def test_full_stops_close_with_their_quotes():
    assert split_at_full_stops("他说：“好。”然后走了！真的？？是") == ["他说：“好。”", "然后走了！", "真的？？", "是"]
    assert split_at_full_stops("3.14是π。") == ["3.14是π。"]
    assert split_at_full_stops("") == []


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Er rief: „Halt!“ Sie blieb! „Wer?“ Nie!", ["Er rief: „Halt!“", "Sie blieb!", "„Wer?“", "Nie!"]),
        ("Er rief: »Halt!« Sie blieb? ‚Ja!‘ Nie!", ["Er rief: »Halt!«", "Sie blieb?", "‚Ja!‘", "Nie!"]),
        (
            "Il crie : « Non ! » Elle reste ! « Qui ? » Rien !",
            ["Il crie : « Non ! »", "Elle reste !", "« Qui ? »", "Rien !"],
        ),
        ("He ran! “Stop!” Why? No", ["He ran!", "“Stop!”", "Why?", "No"]),
    ],
)
def test_marks_that_close_speech_stay_with_their_sentence(text, sentences):
    assert split_at_full_stops(text) == sentences


@pytest.mark.parametrize(
    ("language", "text", "sentences"),
    [
        (
            "de",
            "Er rief: „Halt!“ Sie blieb. „Nun gut.“ Es (ja!) war spät. (Sehr.) Aus.",
            [
                "Er rief : „ Halt ! “",
                "Sie blieb .",
                "„ Nun gut . “",
                "Es ( ja ! ) war spät .",
                "( Sehr . )",
                "Aus .",
            ],
        ),
        (
            "fr",
            "Il crie : « Non ! » Elle reste. « Bien. » Il part.",
            ["Il crie : « Non ! »", "Elle reste .", "« Bien . »", "Il part ."],
        ),
        ("es", "Ella vino. ¿Quién? ¡Yo!", ["Ella vino .", "¿ Quién ?", "¡ Yo !"]),
    ],
)
def test_marks_that_open_begin_the_next_sentence(language, text, sentences):
    assert [" ".join(words) for words in tokens([text], language)[0]] == sentences


@pytest.mark.parametrize(
    ("language", "text", "sentences"),
    [
        ("de", "„Wirklich?“, fragte sie. „Ja!“ Er ging.", ["„Wirklich?“, fragte sie.", "„Ja!“", "Er ging."]),
        ("fr", "« Viens ! » dit-il. Elle vint.", ["« Viens ! » dit-il.", "Elle vint."]),
        ("ru", "«Что?» — спросил он. Да.", ["«Что?» — спросил он.", "Да."]),
        ("de", "das ist gut! dann ging er. ende", ["das ist gut!", "dann ging er.", "ende"]),  # all in small letters
        ("ar", "السَّلَامُ عَلَيْكُمْ. كيف حالك؟ بخير", ["السَّلَامُ عَلَيْكُمْ.", "كيف حالك؟", "بخير"]),
        ("yo", "Ó jẹ́. Ó lọ.", ["Ó jẹ́.", "Ó lọ."]),
        ("hi", "उसने कहा॥ यह है।वह है।", ["उसने कहा॥", "यह है।", "वह है।"]),
        ("my", "မြန်မာ။ ဘာသာ။", ["မြန်မာ။", "ဘာသာ။"]),
        ("km", "ខ្មែរ។ ភាសា។", ["ខ្មែរ។", "ភាសា។"]),
    ],
)
def test_sentences_of_other_scripts_and_around_what_was_said(language, text, sentences):
    assert sentence_texts(text, language) == sentences
    assert ["".join(words) for words in tokens([text], language)[0]] == ["".join(part.split()) for part in sentences]


def test_segmenters_leave_white_space_out():
    assert chinese.words("中国 人民\n") == ["中国", "人民"]
    assert japanese.words("東京 タワー\n大学") == ["東京", "タワー", "大学"]
    assert chinese.words("") == japanese.words("") == []


def test_rows_number_the_sentences_of_each_article():
    articles = [
        ("7", [("", ["One cat. Two cats."]), ("Food / Mice", ["Three mice."])]),
        ("8", []),
        ("9", [("", ["Four dogs."])]),
    ]
    rows = sentence_rows(articles, "en")
    assert rows.schema.names == ["doc_id", "sentence_id", "section", "tokens", *ALL]
    assert rows.schema.field("head").type == pa.list_(pa.int32())
    assert rows.column("doc_id").to_pylist() == ["7", "7", "7", "9"]
    assert rows.column("sentence_id").to_pylist() == [0, 1, 2, 0]
    assert rows.column("section").to_pylist() == ["", "", "Food / Mice", ""]
    assert sentence_rows([], "bg").schema.names == ["doc_id", "sentence_id", "section", "tokens"]
