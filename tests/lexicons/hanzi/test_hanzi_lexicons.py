import pytest

from repline.errors import InputError
from repline.evaluation.word_vectors.benchmark_files import read_analogies
from repline.lexicons.hanzi import place_questions
from repline.lexicons.hanzi.cc_cedict import Entry, read_cc_cedict
from repline.lexicons.hanzi.components import read_components, taken_apart

DICTIONARY = """# CC-CEDICT
傳統 传统 [chuan2 tong3] /tradition/traditional/
巴格達 巴格达 [Ba1 ge2 da2] /Baghdad, capital of Iraq/
"""


@pytest.fixture
def file(tmp_path):
    def written(text):
        path = tmp_path / "table.txt"
        path.write_text(text, encoding="utf-8")
        return path

    return written


def test_entries_of_the_dictionary(file):
    assert list(read_cc_cedict(file(DICTIONARY))) == [
        Entry("傳統", "传统", "chuan2 tong3", ("tradition", "traditional")),
        Entry("巴格達", "巴格达", "Ba1 ge2 da2", ("Baghdad, capital of Iraq",)),
    ]


def test_readings_in_double_brackets(file):
    entries = read_cc_cedict(file("傳統 传统 [[chuan2tong3]] /tradition/\n中 中 [zhong1] /middle/\n"))
    assert [entry.pinyin for entry in entries] == ["chuan2tong3", "zhong1"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (DICTIONARY + "壞 坏 [[huai4] /bad/\n" + "坏 坏 [huai4]] /bad/\n", "line 5: expected `TRADITIONAL SIMPLIFIED"),
        (DICTIONARY + "坏 [huai4] /bad/\n", "table.txt, line 4: expected `TRADITIONAL SIMPLIFIED"),
        (DICTIONARY + "壞 坏 [huai4] bad\n", "line 4: .* found '壞 坏"),
        ("# nothing\n", "found none"),
    ],
)
def test_a_broken_dictionary(file, text, message):
    with pytest.raises(InputError, match=message):
        list(read_cc_cedict(file(text)))


def test_a_table_of_components_keeps_what_is_repeated(file):
    components = read_components(file("海 氵 \ue817 母\n癌 疒 口 口 口 山\n明 日 月\n子 子\n"))
    assert components["癌"] == ("疒", "口", "口", "口", "山")
    assert (len(components["海"]), components["明"], components["子"]) == (3, ("日", "月"), ("子",))


def test_compositions_are_taken_apart_step_by_step(file):
    table = file("癌:stl(疒,嵒)\n疒:a(亠,广)\n嵒:d(品,山)\n一:c()\n10013:ctlbr/t(㇗,一)\n")
    assert read_components(table)["癌"] == ("疒", "嵒")
    assert read_components(table, steps=2)["癌"] == ("亠", "广", "品", "山")
    assert read_components(table)["一"] == ("一",)
    assert "10013" not in read_components(table)


def test_a_composition_that_holds_itself_stays_whole():
    assert taken_apart("丨", {"丨": ("丨", "一")}, 3) == ("丨",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("明 日 月\n子\n", "line 2: expected a character and its components"),
        ("明 日 月\n\n明 日\n", "line 3: '明' is there for the second time"),
        ("明:a(日,月\n", "line 1: "),
        ("", "found none"),
    ],
)
def test_a_broken_table(file, text, message):
    with pytest.raises(InputError, match=message):
        read_components(file(text))


def test_capitals_by_hand():
    entries = [
        Entry("", "巴格达", "", ("Baghdad, capital of Iraq",)),
        Entry("", "仰光", "", ("Yangon, city, capital of Myanmar from 1948 to 2006",)),
        Entry("", "内比都", "", ("Naypyidaw, capital of Myanmar",)),
        Entry("", "汉城", "", ("former name of Seoul, capital of South Korea",)),
        Entry("", "石家庄市", "", ("Shijiazhuang, capital of Hebei Province 河北省[He2 bei3 Sheng3]",)),
        Entry("", "贾巴", "", ("capital of Iraq (Tw)",)),
        Entry("", "京城", "", ("capital of a country",)),
        Entry("", "稀城", "", ("capital of Chad",)),
    ]
    names = {"Iraq": "伊拉克", "Myanmar": "缅甸", "South Korea": "韩国", "河北省": "河北", "Chad": "乍得"}
    frequencies = dict.fromkeys(["巴格达", "伊拉克", "缅甸", "汉城", "韩国", "石家庄", "河北", "贾巴", "乍得"], 5)
    frequencies |= {"仰光": 9, "内比都": 3}
    pairs = place_questions.capitals(entries, names, frequencies)
    assert pairs == [("巴格达", "伊拉克"), ("仰光", "缅甸"), ("石家庄", "河北")]  # the most frequent of two capitals


def test_the_questions_of_the_installed_packages(tmp_path):
    place_questions.write(tmp_path)
    questions, sections = read_analogies(tmp_path / "analogy.txt")
    assert ("北京", "中国", "巴黎", "法国") in questions
    assert ("石家庄", "河北", "沈阳", "辽宁") in questions
    assert questions[sections.index("province")] == ("南京", "江苏", "南宁", "广西")
    assert (sections.count("capital"), sections.count("province")) == (161 * 160, 26 * 25)
    assert all(len(set(question)) == 4 for question in questions)
