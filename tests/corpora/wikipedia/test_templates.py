"""Templates and the words that a reader sees of them, written down from the documentation of each template."""

import pickle
import time

import pytest

from repline.corpora.wikipedia.wikitext.cleaning import clean
from repline.corpora.wikipedia.wikitext.dialect import dialect
from repline.corpora.wikipedia.wikitext.template_rules import pattern_rule, rules_of
from repline.corpora.wikipedia.wikitext.templates import TemplateCounts, arguments_of
from repline.errors import InputError

SHOWN = {
    "en": """
        {{lang|fr|chat}} = chat
        {{lang|de|[[Katze|Katzen]]}} = Katzen
        {{lang|1=de|2=Katze}} = Katze
        {{lang|code=de|text=Katze}} = Katze
        {{langx|de|Katze}} = Katze
        {{langx|de|Katze|lit=cat}} = Katze
        {{lang-de|Katze}} = Katze
        {{lang-grc-gre|γάτα}} = γάτα
        {{Lang_de|Katze}} = Katze
        {{Template:lang-de|Katze}} = Katze
        {{template: Langx |de|Katze}} = Katze
        {{rtl-lang|ar|قط}} = قط
        {{transl|ru|koshka}} = koshka
        {{transl|ar|DIN|qiṭṭ}} = qiṭṭ
        {{transliteration|ja|neko}} = neko
        {{script|Copt|Ⲁ}} = Ⲁ
        {{script/Arabic|ﷲ}} = ﷲ
        {{nihongo|cat|猫|neko}} = cat
        {{nihongo||猫|neko}} = neko
        {{zh|s=猫|t=貓|p=māo}} = 貓
        {{linktext|house|cat}} = housecat
        {{nowrap|10 cats}} = 10 cats
        {{nobr|10 cats}} = 10 cats
        {{nowrap|1=a=b}} = a=b
        {{small|old}} = old
        {{smaller|old}} = old
        {{big|old}} = old
        {{large|old}} = old
        {{em|very}} = very
        {{strong|very}} = very
        {{abbr|UN|United Nations}} = UN
        {{tooltip|UN|United Nations}} = UN
        {{sub|2}} = 2
        {{sup|2}} = 2
        {{mvar|x}} = x
        {{math|''x'' > 1}} = x > 1
        {{sc|BC}} = BC
        {{smallcaps|Lord}} = Lord
        {{color|red|stop}} = stop
        {{font color|red|white|stop}} = white
        {{legend|#ff0000|Forest}} = Forest
        {{angbr|a}} = ⟨a⟩
        {{vanchor|Tail}} = Tail
        {{visible anchor|Tail|tails}} = Tail
        {{quote|Cats sleep.|A vet}} = Cats sleep.
        {{quote|text=Cats sleep.|author=A vet}} = Cats sleep.
        {{blockquote|Cats sleep.}} = Cats sleep.
        {{convert|5|km|mi}} = 5 km
        {{convert|5|to|10|km|mi|abbr=on}} = 5 to 10 km
        {{convert|5|ft|6|in|m}} = 5 ft 6 in
        {{convert|3|by|4|m}} = 3 by 4 m
        {{convert|2|e6acre|km2}} = 2 million acre
        {{convert|100|km2|sqmi}} = 100 km²
        {{cvt|20|C|F}} = 20 °C
        {{convert|{{#expr:5}}|km}} = 5 km
        {{val|5.2|ul=km}} = 5.2 km
        {{val|1.2|e=5|u=m}} = 1.2×10^5 m
        {{val|1.2|0.1|e=-3|u=m}} = (1.2±0.1)×10^−3 m
        {{val|30|u=%}} = 30%
        {{e|9}} = ×10^9
        {{e|-9}} = ×10^−9
        {{frac|2}} = 1/2
        {{frac|3|4}} = 3/4
        {{frac|1|3|4}} = 1 3/4
        {{sfrac|a + 1|2}} = a + 1/2
        {{gaps|1|234|567}} = 1234567
        {{pop density|1000|100|km2|sqmi}} = 10/km²
        {{Track gauge|1435mm}} = 1435 mm
        {{RailGauge|1000 mm|allk=on}} = 1000 mm
        {{RailGauge|4 ft  8 1/2 in}} = 4 ft 8 1/2 in
        {{RailGauge|3ft6in}} = 3 ft 6 in
        {{RailGauge|4ft in}} = 4 ft in
        {{chem|H|2|O}} = H2O
        {{chem|C|''n''|H|2''n''+2}} = CnH2n+2
        {{chem2|H2SO4}} = H2SO4
        {{chem2|SO4(2-)}} = SO42−
        {{chem2|A -> B}} = A → B
        {{nuclide|carbon|14}} = 14C
        {{nuclide2|einsteinium|254|link=y}} = 254Es
        {{Carbon}} = C
        {{CO2}} = CO2
        {{music|flat}} = ♭
        {{music|sharp}} = ♯
        {{HMS|Victory}} = HMS Victory
        {{HMS|Ajax|22|6}} = Ajax
        {{USS|Hornet|CV-12}} = USS Hornet (CV-12)
        {{USS|Hornet|CV-12|2}} = USS Hornet
        {{SS|Great Eastern}} = SS Great Eastern
        {{MV|Tustumena}} = MV Tustumena
        {{ship|HMS|Beagle}} = HMS Beagle
        {{ship||Bismarck}} = Bismarck
        {{sclass|Iowa|battleship}} = Iowa-class battleship
        {{ill|Luigi Rossi|it}} = Luigi Rossi
        {{ill|Luigi Rossi|lt=Rossi|it}} = Rossi
        {{ill|de|Gymnasium Gotha|Gotha school}} = Gotha school
        {{interlanguage link|Max Moritz|de|Max Moritz (Autor)}} = Max Moritz
        {{flag|France}} = France
        {{flag|FRA}} = France
        {{flagcountry|GER}} = Germany
        {{flag|France|name=Gaul}} = Gaul
        {{FRA}} = France
        {{GGY}} = Guernsey
        {{as of|2010}} = As of 2010
        {{As of|2010|lc=y}} = as of 2010
        {{as of|2010|5}} = As of May 2010
        {{as of|2010|5|7}} = As of 7 May 2010
        {{as of|2010|since=y}} = Since 2010
        {{as of|2010|alt=in those days}} = in those days
        {{circa|1500}} = c. 1500
        {{circa|1500|1510}} = c. 1500 – c. 1510
        {{c.|1500}} = c. 1500
        {{fl.|1500}} = fl. 1500
        {{reign|1500|1510}} = r. 1500 – 1510
        {{birth date|1789|7|14}} = July 14, 1789
        {{birth date and age|1950|7|14|df=yes}} = 14 July 1950
        {{death date|df=y|1789|07|04}} = 4 July 1789
        {{start date|1999|3}} = March 1999
        {{date|14|July|1789}} = 14 July 1789
        {{date|1789-07-14}} = 14 July 1789
        {{OldStyleDate|February 2|1905|January 20}} = February 2 1905
        {{US$|2 billion}} = US$2 billion
        {{GBP|3}} = £3
        {{INR|50}} = ₹50
        {{ISBN|0-306-40615-2}} = ISBN 0-306-40615-2
        {{OCLC|61658553}} = OCLC 61658553
        {{harvtxt|Boolos|Jeffrey|1974}} = Boolos & Jeffrey (1974)
        {{harv|Boolos|1974|p=3}} = (Boolos 1974, p. 3)
        {{harvnb|Boolos|1974}} = Boolos 1974
        {{bibleverse|Mark|3:25}} = Mark 3:25
        {{fr icon}} = (in French)
        {{in lang|de}} = (in German)
        {{hlist|a|b}} = a, b
        {{unbulleted list|a|b}} = a, b
        {{'}} = '
        {{'s}} = 's
        {{=}} = =
        {{ndash}} = –
        {{mdash}} = —
        {{mdashb}} = —
        {{...}} = …
        {{okina}} = ʻ
        {{sic}} = [sic]
        {{sic|teh}} = teh
        {{eqm}} = ⇌
        {{formatnum:12345}} = 12345
        {{lc:CAT}} = cat
        {{uc:cat}} = CAT
        {{ucfirst:cat}} = Cat
        {{#if: x | yes | no}} = yes
        {{#if: | yes | no}} = no
        {{#ifeq: a | a | same | other}} = same
        {{#expr: 2 * 3 + 1}} = 7
        {{plural:2|cat|cats}} = cats
        {{PAGENAME}} = Page
        {{nowrap|{{convert|5|km|mi}}}} = 5 km
        {{small|({{lang|de|Wien}})}} = (Wien)
        {{nowrap|10 {{abbr|km|kilometre}}}} = 10 km
        {{nihongo|{{lang|en|Tokyo}}|東京}} = Tokyo
        {{lang|de|Wien{{'}}s}} = Wien's
        {{nowrap|''Z'' {{=}} 1}} = Z = 1
        {{nowrap|{{small|{{em|{{lang|de|tief}}}}}}}} = tief
        {{nowrap|[[cat|the {{small|big}} cat]]}} = the big cat
    """,
    "de": """
        {{Höhe|2962|DE-NHN}} = 2962 m ü. NHN
        {{Höhe|3798|AT|link=true}} = 3798 m ü. A.
        {{arS|قط}} = قط
        {{enS|cat}} = cat
        {{Datum|14|7|1789}} = 14. Juli 1789
        {{"|Miau}} = „Miau“
        {{Zitat|Miau}} = Miau
        {{lang|en|cat}} = cat
        {{Vorlage:lang|en|cat}} = cat
        {{nowrap|10 km}} = 10 km
        {{Bibel|Mt|5|3}} = Mt 5,3
        {{§|1|BGB}} = § 1 BGB
        {{FRA}} = Frankreich
    """,
    "fr": """
        {{arabe|'''Arabie'''|X|Y}} = Arabie
        {{unité|5|km}} = 5 km
        {{unité|10|m|2}} = 10 m²
        {{unité|90|km|/h}} = 90 km/h
        {{s-|XIX}} = XIXe siècle
        {{s-|XIX|e}} = XIXe siècle
        {{-s-|V|e}} = Ve siècle av. J.-C.
        {{XXe siècle}} = XXe siècle
        {{1er}} = 1er
        {{date|14|juillet|1789}} = 14 juillet 1789
        {{date-|14 juillet 1789}} = 14 juillet 1789
        {{date de naissance|14|7|1789}} = 14 juillet 1789
        {{lien|langue=en|trad=Cat|texte=chat}} = chat
        {{Lien|Chat|en}} = Chat
        {{citation|Miaou}} = « Miaou »
        {{langue|en|cat}} = cat
        {{lang|en|texte=cat}} = cat
        {{nombre|5|chats}} = 5 chats
        {{n°|5}} = nº 5
        {{av JC}} = av. J.-C.
        {{référence nécessaire|Il dort}} = Il dort
    """,
    "es": """
        {{fecha|14|7|1789}} = 14 de julio de 1789
        {{siglo|XIX||s}} = siglo XIX
        {{siglo|V|a|s}} = siglo V a. C.
        {{unidad|10|m}} = 10 m
        {{unidad|10|km|2}} = 10 km²
        {{lang|en|cat}} = cat
        {{versalitas|XX}} = XX
        {{bandera2|Francia}} = Francia
        {{esd|5 km}} = 5 km
        {{cita|Miau}} = Miau
    """,
    "ru": """
        {{нп5|Луиджи Росси||it|Luigi Rossi}} = Луиджи Росси
        {{нп3|Статья|статьи|en|Article}} = статьи
        {{не переведено|есть=|надо=Кот|текст=кот|язык=en}} = кот
        {{год|1999}} = 1999
        {{num|12345}} = 12345
        {{s|5 км}} = 5 км
        {{lang-en|cat}} = cat
        {{lang|en|cat}} = cat
        {{дата|14|7|1789}} = 14 июля 1789
        {{Флагификация|Россия}} = Россия
        {{Шаблон:num|5}} = 5
        {{до н. э.}} = до н. э.
    """,
    "ja": """
        {{読み仮名|東京|とうきょう}} = 東京（とうきょう）
        {{ruby|漢字|かんじ}} = 漢字（かんじ）
        {{仮リンク|都市|en|city}} = 都市
        {{仮リンク|都市|en|city|label=町}} = 町
        {{lang|en|cat}} = cat
        {{lang-en-short|cat}} = cat
        {{補助漢字フォント|噓}} = 噓
        {{要出典範囲|猫である|date=2020}} = 猫である
        {{JPN}} = 日本
    """,
    "zh": """
        {{link-en|城市|City}} = 城市
        {{link-en|城市|City|大城}} = 大城
        {{tsl|en|City|城市}} = 城市
        {{tsl|en|City|城市|大城}} = 大城
        {{le|城市|City}} = 城市
        {{internal link helper/en|城市|City|d=城}} = 城
        {{lang|en|cat}} = cat
        {{僻字|嚱|口戲}} = 嚱
        {{bd|1900年|1月1日|2000年|2月2日}} = （1900年1月1日－2000年2月2日）
        {{Template:lang|en|cat}} = cat
        {{CHN}} = 中国
    """,
}
ROWS = [
    (language, line.strip().partition("}} = ")[0] + "}}", line.strip().partition("}} = ")[2])
    for language, table in SHOWN.items()
    for line in table.strip().splitlines()
]
SILENT = [
    "{{flagicon|ITA}}", "{{coord|13|N|16|W}}", "{{IPAc-en|k|æ|t}}", "{{IPA-de|x|lang}}", "{{citation needed|date=x}}",
    "{{sfn|Barnes|1995|p=9}}", "{{rp|223}}", "{{efn|a note}}", "{{cite book|title=Cats}}", "{{who|date=May 2015}}",
    "{{anchor|tail}}", "{{DEFAULTSORT:Cat}}", "{{clear}}", "{{respell|ASS|kee}}", "{{#tag:ref|a note}}",
]  # fmt: skip


def shown(text, language="en", **options):
    counts = TemplateCounts()
    sections = clean(text, dialect(language, **options), "Page", counts)
    return " ".join(" ".join(paragraphs) for _, paragraphs in sections), counts


@pytest.mark.parametrize(("language", "template", "words"), ROWS, ids=lambda value: str(value)[:40])
def test_words_of_a_template(language, template, words):
    text, counts = shown(f"A {template} z", language)
    assert text == f"A {words} z"
    assert counts.rendered and not counts.dropped


@pytest.mark.parametrize("template", SILENT)
def test_templates_in_which_a_reader_sees_no_words(template):
    text, counts = shown(f"A cat{template} z")
    assert text == "A cat z"
    assert counts.silent.total() == 1 and not counts.dropped and not counts.rendered


def test_what_has_no_rule_is_counted_by_name_with_the_words_around_it():
    text, counts = shown(
        "The {{Cat  box|a}} sat on {{cat_box}} and {{mat}}.\n{{Infobox cat|a={{mat}}}}\n\n{{Mew}}\nEnd"
    )
    assert text == "The sat on and. End"
    assert counts.dropped == {"cat box": 2, "mat": 1} and counts.silent == {"infobox cat": 1} and counts.alone == 1
    summary = counts.summary(names=1)
    assert (summary["rendered"], summary["silent"], summary["dropped"], summary["alone"]) == (0, 1, 3, 1)
    assert summary["most_dropped"] == [{"name": "cat box", "count": 2, "around": "The … sat on"}]


def test_a_missing_argument_is_a_lost_template():
    text, counts = shown("A {{lang|de}} b {{ill}} c {{as of|{{CURRENTYEAR}}}} d")
    assert text == "A b c d"
    assert counts.dropped == {"lang": 1, "ill": 1, "currentyear": 1, "as of": 1} and not counts.rendered


@pytest.mark.parametrize("arguments", ["1.7e308|1|prec=-308", "1|0", "x|1", "1|1|prec=x", "1|1|prec=" + "9" * 5_000])
def test_a_density_that_is_no_number_is_a_lost_template(arguments):
    text, counts = shown(f"A {{{{pop density|{arguments}}}}} b")
    assert text == "A b"
    assert counts.dropped == {"pop density": 1}


def test_counts_of_pages_add_up():
    first, second = shown("a {{x}} b {{lang|de|y}}")[1], shown("c {{x}} d {{clear}}")[1]
    first.add(second)
    assert (first.rendered, first.dropped, first.silent) == (1, {"x": 2}, {"clear": 1})
    assert first.examples == {"x": "a … b"}


@pytest.mark.parametrize(
    ("unknown", "words"), [("drop", "A b end."), ("text", "A kit cat b end."), ("mark", "A {{Box}} b end.")]
)
def test_what_a_template_without_a_rule_leaves(unknown, words):
    text, counts = shown("A {{Box|kit|color=red|{{lang|en|cat}}}} b end.\n{{Sidebar|much}}\n", unknown=unknown)
    assert text == words
    assert counts.dropped == {"box": 1} and counts.alone == 1


def test_rules_of_ones_own_go_first():
    rules = {"Kit": "little {1}", "lang": "<{2}>", "mew*": "{@}!", "note": ""}
    text, counts = shown("a {{kit|cat}} {{lang|de|Katze}} {{Mew hiss}} {{note|x}} b", rules=rules)
    assert text == "a little cat <Katze> hiss! b"
    assert counts.silent == {"note": 1}


def test_a_rule_with_a_table_that_does_not_exist_is_refused():
    with pytest.raises(InputError, match="looks up the table 'colours', which does not exist"):
        dialect("en", rules={"kit": "{1:colours}"})


@pytest.mark.parametrize(
    ("pattern", "arguments", "words"),
    [
        ("{1} km", {"1": "5"}, "5 km"),
        ("{1} km", {}, None),
        ("{name|2|1}", {"1": "a", "2": ""}, "a"),
        ("{1}{2|=e}", {"1": "XX"}, "XXe"),
        ("{1}[ ({2})]", {"1": "a"}, "a"),
        ("{1}[ ({2})]", {"1": "a", "2": "b"}, "a (b)"),
        ("{*, }", {"1": "a", "2": "b", "x": "c"}, "a, b"),
        ("{*}", {}, None),
        ("{1:codes}", {"1": "DE"}, "German"),
        ("{1:codes}", {"1": "xx"}, "xx"),
        ("plain", {}, "plain"),
    ],
)
def test_patterns(pattern, arguments, words):
    assert pattern_rule(pattern, {"codes": {"de": "German"}})(arguments, "") == words


def test_arguments():
    assert arguments_of("a| x = 1 |b|2=c|=d") == {"1": "a", "x": "1", "2": "c", "": "d"}


@pytest.mark.parametrize("language", ["common", "en", "de", "es", "fr", "it", "ja", "pt", "ru", "zh", "xx", "simple"])
def test_the_rules_of_every_language_load(language):
    assert rules_of(language).find("lang")
    assert rules_of("simple").find("HMS")


def test_a_dialect_travels_between_processes():
    wiki = pickle.loads(pickle.dumps(dialect("de", {10: "Vorlage"}, unknown="mark", rules={"kit": "cat"})))
    assert [text for _, texts in clean("a {{Vorlage:Kit}} {{x}} b", wiki) for text in texts] == ["a cat {{x}} b"]


BRACKETS = {
    "a ({{x}}, German) b": "a (German) b",
    "a ({{x}} / Latin) b": "a (Latin) b",
    "a (German: {{x}}) b": "a (German) b",
    "a (German: {{x}}; Latin: y) b": "a (German; Latin: y) b",
    "a (from {{x}} and {{y}}, born {{z}}) b": "a b",
    "a ({{x}} – {{y}}) b": "a b",
    "a (pronounced {{IPA|x}}) b": "a b",
    "a (pronounced {{IPA|x}}, a bird) b": "a (a bird) b",
    "a [{{x}}] b": "a b",
    "a ({{x}} the first) b": "a (the first) b",
    "a (b {{x}}; c {{y}} d) e {{z}}; f": "a (b; c d) e; f",
    "f() and main() stay": "f() and main() stay",
    "東京({{x}}、英語)は": "東京(英語)は",
    "北京（{{x}}，英语）和（英语：{{x}}、法语）是（{{x}}）。": "北京（英语）和（英语、法语）是。",
}


@pytest.mark.parametrize("text", BRACKETS)
def test_brackets_that_a_lost_template_emptied(text):
    assert shown(text)[0] == BRACKETS[text]


@pytest.mark.parametrize("opener", ["{{nowrap|", "{{nowrap|x {{lang|de|", "{{small|[["])
def test_thousands_of_open_templates_are_quick(opener):
    started = time.process_time()
    for tail in ("", "}}" * 50_000):
        clean(opener * 50_000 + "text" + tail, dialect("en"))
    assert time.process_time() - started < 4
