import functools
import gzip
import os
import pickle
import shutil

import pytest

from repline.errors import InputError
from repline.segmentation import chinese, japanese
from repline.segmentation.characters import normalise_widths
from repline.segmentation.languages import segmenter

usual = functools.cache(segmenter)  # of a language; jieba takes half a second to read its dictionary


def test_chinese_in_its_modes():
    text = "小明硕士毕业于中国科学院 计算所。"
    assert usual("zh")(text)["tokens"] == ["小明", "硕士", "毕业", "于", "中国科学院", "计算所", "。"]
    search = segmenter("zh-tw", mode="search")(text)["tokens"]
    assert {"中国", "科学", "学院", "中国科学院"} <= set(search)
    assert len(search) > 7


def test_the_hidden_markov_model_finds_words_outside_the_dictionary():
    text = "他来到了网易杭研大厦"
    assert "杭研" in usual("zh")(text)["tokens"]
    assert "杭研" not in segmenter("zh", hmm=False)(text)["tokens"]


def test_chinese_tags_stand_beside_the_words():
    columns = segmenter("zh", tags=True)("我爱 北京天安门")
    assert columns == {"tokens": ["我", "爱", "北京", "天安门"], "tag": ["r", "v", "ns", "ns"]}
    with pytest.raises(InputError, match="mode precise alone"):
        segmenter("zh", mode="search", tags=True)


@pytest.mark.parametrize("hmm", [True, False])
def test_chinese_words_are_the_same_with_and_without_tags(hmm):
    texts = ["占50%，涨了3.14%", "2015-03-01 a_b@x.com,C++、10-20%。", "在他来到杭研之后在日本深造", "%%--", " \u3000"]
    plain, tagged = segmenter("zh", hmm=hmm), segmenter("zh", hmm=hmm, tags=True)
    for text in texts:
        columns = tagged(text)
        assert columns["tokens"] == plain(text)["tokens"]
        assert len(columns["tag"]) == len(columns["tokens"])


def test_a_word_that_the_chinese_tagger_cuts_has_the_tag_of_its_last_part_with_one():
    tags = segmenter("zh", tags=True)
    assert tags("占50%。") == {"tokens": ["占", "50%", "。"], "tag": ["v", "m", "x"]}
    assert tags("%%") == {"tokens": ["%%"], "tag": ["x"]}
    assert tags("iPhone6s用")["tag"] == ["eng", "p"]


def test_chinese_tags_need_a_dictionary_with_parts_of_speech(tmp_path):
    path = tmp_path / "whole.txt"
    path.write_text("甲乙 5 n\n丙 1\n", encoding="utf-8")
    assert segmenter("zh", dictionary=path)("丙")["tokens"] == ["丙"]
    with pytest.raises(InputError, match=r"whole\.txt, line 2: expected a word, its count and its part of speech"):
        segmenter("zh", dictionary=path, tags=True)


def test_own_words_and_own_dictionaries(tmp_path):
    user_dictionary = tmp_path / "own.txt"
    user_dictionary.write_text("\ufeff李小福 2 nr\n创新办 i\n\n云计算\n", encoding="utf-8")
    text = "李小福是创新办主任也是云计算方面的专家"
    assert {"李小福", "创新办", "云计算"} <= set(segmenter("zh", own_words=user_dictionary)(text)["tokens"])
    assert "创新办" not in segmenter("zh")(text)["tokens"]  # segmenters do not share their words
    whole = tmp_path / "whole.txt"
    whole.write_text("甲乙 5 n\n丙 1 n\n", encoding="utf-8")
    assert segmenter("zh", dictionary=whole, hmm=False)("甲乙丙丁")["tokens"] == ["甲乙", "丙", "丁"]


ENTRIES = "石墨烯科技园 20000 nz\n我们 5 r\n去 3 v\n玩 4 v\n"


@pytest.mark.parametrize("which", ["own_words", "dictionary"])
@pytest.mark.parametrize(
    "content",
    [
        ENTRIES.encode(),
        gzip.compress(ENTRIES.encode()),
        ENTRIES.encode("utf-16"),
        ENTRIES.replace("\n", "\n \n\n").encode(),
        ENTRIES.replace("\n", "\r").encode(),
        ENTRIES.replace("\n", "\r\n").encode(),
        ENTRIES.replace("园 ", "\u200b园\u200e ").encode(),
        ENTRIES.encode("utf-8-sig") + "\ufeff你 3 r".encode(),
    ],
    ids=["plain", "gzip", "utf-16", "blank lines", "cr", "crlf", "invisible", "marks"],
)
def test_jieba_reads_what_was_checked(tmp_path, which, content):
    path = tmp_path / "words.txt"
    path.write_bytes(content)
    columns = segmenter("zh", **{which: path}, tags=True)("我们去石墨烯科技园玩")
    assert columns == {"tokens": ["我们", "去", "石墨烯科技园", "玩"], "tag": ["r", "v", "nz", "v"]}


def test_another_dictionary_of_the_same_name_is_read_anew_whatever_its_date(tmp_path):
    path = tmp_path / "words.txt"
    for word, words in (("甲乙", ["甲乙", "丙"]), ("乙丙", ["甲", "乙丙"])):
        path.write_text(f"{word} 5 n\n", encoding="utf-8")
        os.utime(path, (0, 0))
        assert segmenter("zh", dictionary=path, hmm=False)("甲乙丙")["tokens"] == words


@pytest.mark.parametrize(
    ("which", "content", "message"),
    [
        ("own_words", "好 3 n\n坏 字 4\n", r"words\.txt, line 2: expected a word, and after it"),
        ("own_words", "好 3  n\n", r"words\.txt, line 1"),
        ("dictionary", "好 3 n\n坏\n", r"words\.txt, line 2: expected a word and its count"),
        ("own_words", "\n", "expected words, found none"),
        ("own_words", b"\xc4\xe3\n", "line 1: expected UTF-8"),
        ("own_words", None, "there is no such file"),
    ],
)
def test_a_broken_dictionary_is_named_with_its_line(tmp_path, which, content, message):
    path = tmp_path / "words.txt"
    if content is not None:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError, match=message):
        segmenter("zh", **{which: path})


def test_japanese_words_have_base_form_part_of_speech_and_reading():
    columns = segmenter("ja")("太郎は走った。")
    assert columns == {
        "tokens": ["太郎", "は", "走っ", "た", "。"],
        "lemma": ["太郎", "は", "走る", "た", "。"],
        "tag": ["名詞-固有名詞-人名-名", "助詞-係助詞", "動詞-一般", "助動詞", "補助記号-句点"],
        "reading": ["タロウ", "ハ", "ハシッ", "タ", ""],
    }


def test_japanese_words_are_the_same_with_and_without_features():
    text = "外国人参政権と　ＡＢＣ hogehoge、\n「すもももももももものうち」"
    plain = segmenter("ja", features=False)(text)["tokens"]
    assert plain == segmenter("ja")(text)["tokens"] == japanese.words(text)
    assert "".join(plain) == "".join(text.split())


@pytest.mark.parametrize("features", [True, False])
def test_marks_that_mecab_would_join_stand_alone(features):
    segment = segmenter("ja", features=features)
    assert segment('ア,"x"。')["tokens"] == ["ア", ",", '"', "x", '"', "。"]
    assert segment('A--B ". [[c]] “"')["tokens"] == [*"A--B", '"', ".", *"[[c]]", "“", '"']
    assert segment("笑😀😀 hogehoge")["tokens"] == ["笑", "😀😀", "hogehoge"]


def test_a_mark_parted_from_others_has_the_tag_it_has_alone():
    assert segmenter("ja")('".')["tag"] == ["記号-一般", "補助記号-句点"]


@pytest.mark.parametrize(
    "texts",
    [
        [
            "太郎は走った。",
            '「あ」,"い"。',
            "",
            "NULL と nan",
            '"引用, \'符"',
            "全角　の 空白\t表",
            "行\u2028区切り\x1c符",
            "qwrtz",
            "走った",
        ],
        ["", "　"],  # not a word
    ],
)
def test_many_japanese_texts_together_are_each_as_alone(texts):
    segment = segmenter("ja")
    counts, columns = segment.together(texts)
    alone = [segment(text) for text in texts]
    assert counts.tolist() == [len(text["tokens"]) for text in alone]
    for name, column in columns.items():
        assert column.to_pylist() == [word for text in alone for word in text[name]], name


def test_a_word_that_the_dictionary_lacks_is_its_own_base_form():
    columns = segmenter("ja")("qwrtz")
    assert columns["lemma"] == columns["tokens"] == ["qwrtz"]
    assert columns["reading"] == [""]
    assert columns["tag"][0].startswith("名詞")


@pytest.mark.parametrize(
    ("features", "expected"),
    [
        ("動詞,自立,*,*,五段・ラ行,連用タ接続,走る,ハシッ,ハシッ", ("走る", "動詞-自立", "ハシッ")),  # IPAdic
        ("名詞,一般,*,*,*,*,*", ("", "名詞-一般", "")),  # IPAdic, an unknown word
        ("名詞,普通名詞,一般,*,*,*", ("", "名詞-普通名詞-一般", "")),  # UniDic, an unknown word
        (
            "動詞,一般,*,*,五段-ラ行,連用形-促音便,ハシル,走る,走っ,ハシッ,走る,ハシル,和,ハ濁,基本形,*,*",
            ("走る", "動詞-一般", "ハシッ"),  # UniDic of 17 fields
        ),
        (
            '助詞,係助詞,*,*,*,*,ハ,は,は,ワ,は,ワ,和,*,*,*,*,ハ,ハ,ハ,ハ,*,*,*,"動詞%F2@0,名詞%F1",*',
            ("は", "助詞-係助詞", "ハ"),
        ),
    ],
)
def test_features_of_several_dictionaries(features, expected):
    assert japanese._features(features) == expected


def test_any_folder_with_a_dictionary_of_mecab_will_do(tmp_path):
    import unidic_lite

    with pytest.raises(InputError, match="no compiled dictionary of MeCab"):
        segmenter("ja", dictionary=tmp_path)
    copy = tmp_path / "own dictionary"
    shutil.copytree(unidic_lite.DICDIR, copy, copy_function=os.link)
    assert segmenter("ja", dictionary=copy)("走った")["lemma"] == ["走る", "た"]


def test_other_languages_have_spacys_rules():
    assert segmenter("en")("Don't  stop, Dr. Who!")["tokens"] == ["Do", "n't", "stop", ",", "Dr.", "Who", "!"]
    assert segmenter("tr")("Ankara'da 3'ü geldi.")["tokens"][-1] == "."
    assert segmenter("qqq")("a bc, d.")["tokens"] == ["a", "bc", ",", "d."]


def test_a_segmenter_of_spacys_rules_can_go_to_another_process():
    text = "It doesn't matter, Mr. Smith."
    assert pickle.loads(pickle.dumps(usual("en")))(text) == usual("en")(text)


def test_a_language_refuses_knobs_that_it_does_not_have():
    with pytest.raises(TypeError, match="hmm"):
        segmenter("ja", hmm=False)


def test_widths():
    assert normalise_widths("ＡＢＣ１２３　ｶﾞｯｺｳ！ ㈱①ﬁ 中。") == "ABC123 ガッコウ! ㈱①ﬁ 中。"
    assert chinese.words(normalise_widths("ＯＰＥＣ成员国")) == ["OPEC", "成员国"]


@pytest.mark.parametrize("language", ["zh_CN", "cmn", "zh-TW"])
def test_codes_with_a_country_have_the_segmenter_of_their_language(language):
    assert segmenter(language)("北京是中国的首都。") == usual("zh")("北京是中国的首都。")


@pytest.mark.parametrize(
    ("language", "message"),
    [
        ("de", "its segmenter has no setting 'tags'; it has segmentations"),
        ("zh", "its segmenter has no setting 'features'; it has mode, hmm, dictionary, own_words, tags"),
    ],
)
def test_a_setting_of_another_segmenter_is_refused_with_those_there_are(language, message):
    with pytest.raises(TypeError, match=message):
        segmenter(language, **{message.split("'")[1]: True})


@pytest.mark.parametrize(
    ("language", "text", "words"),
    [
        ("ar", "عَلَيْكُمْ.", ["عَلَيْكُمْ", "."]),
        ("hi", "कहा॥ है।यह", ["कहा", "॥", "है", "।", "यह"]),
        ("hy", "Բարեւ։", ["Բարեւ", "։"]),
        ("de", "Dr. Müller, z.B. 3.5", ["Dr.", "Müller", ",", "z.B.", "3.5"]),
    ],
)
def test_marks_at_which_sentences_end_are_words_in_all_scripts(language, text, words):
    spaced_words = segmenter(language)
    assert spaced_words(text)["tokens"] == words
    assert pickle.loads(pickle.dumps(spaced_words))(text)["tokens"] == words
