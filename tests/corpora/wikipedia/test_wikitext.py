import time

import pytest

from repline.corpora.wikipedia.wikitext.cleaning import clean
from repline.corpora.wikipedia.wikitext.dialect import converted, dialect

ENGLISH = dialect("en", {6: "File", 12: "Help", 14: "Category"})


def lines(text, wiki=ENGLISH, title="Page"):
    return [paragraph for _, paragraphs in clean(text, wiki, title) for paragraph in paragraphs]


CASES = {
    # links
    "link": ("the [[cat]] sat", ["the cat sat"]),
    "trailing link": ("two [[cat]]s sat", ["two cats sat"]),
    "piped link": ("a [[Felis catus|house cat]]", ["a house cat"]),
    "piped link with trail": ("[[Felis catus|cat]]s", ["cats"]),
    "section link": ("see [[Cat#Food|food]]", ["see food"]),
    "pipe trick with brackets": ("a [[cat (animal)|]] sat", ["a cat sat"]),
    "pipe trick with comma": ("in [[Paris, Texas|]] now", ["in Paris now"]),
    "pipe trick with namespace": ("see [[Help:Cats|]] now", ["see Cats now"]),
    "colon in title": ("[[Star Trek: Voyager]] ran", ["Star Trek: Voyager ran"]),
    "emphasis in label": ("[[cat|''the'' cat]]", ["the cat"]),
    "template in label": ("[[cat|the {{x}}cat]]", ["the cat"]),
    "underscores": ("in [[New_York]]", ["in New York"]),
    "external link": ("see [https://x.org/a?b=c the site].", ["see the site."]),
    "external link without label": ("see [https://x.org/a] now", ["see now"]),
    "external link around a link": ("[https://x.org the [[cat]] site]", ["the cat site"]),
    "external link with brackets": ("[https://x.org a [b] c] d", ["a [b] c d"]),
    "external link in a file": ("a [[File:x.jpg|thumb|by [http://x.org him]]] b", ["a b"]),
    "protocol-relative link": ("[//x.org here] now", ["here now"]),
    "mail": ("[mailto:a@b.c write] me", ["write me"]),
    "bare address": ("at https://x.org/ now", ["at https://x.org/ now"]),
    "link to media": ("[[Media:a.ogg|a sound]] or [[Media:b.ogg]]", ["a sound or Media:b.ogg"]),
    "italics after an address": ("see [https://x.org''the site'' now]", ["see the site now"]),
    "escaped link": ("[[50%25 off]] and [[A%26B]]", ["[[50%25 off]] and A&B"]),
    "no title": ("[[]] [[Help:]] [[:]] [[:Help: #s]] [[a<b]]", ["[[]] [[Help:]] [[:]] [[:Help: #s]] [[a<b]]"]),
    "colon first or last": ("[[:Baz]] [[:Baz#s]] [[Re:]] [[:Help]] [[wikt:]]", ["Baz Baz#s Re: Help wikt:"]),
    "brackets in an external link": ("See [http://x.y/a Title [pdf]] now.", ["See Title [pdf] now."]),
    "brackets that are no link": (
        "He said [sic [x]] and [[a]]. array[i[0]] = x\n\n{{lang|fr|b]]}} c",
        ["He said [sic [x]] and a. array[i[0]] = x", "b]] c"],
    ),
    "text in a table but in no cell": ("{|\n|-\nstray\n|-\n| a\n|}\nb", ["stray", "b"]),
    # files, categories, languages
    "file": ("a [[File:x.jpg|thumb|The [[cat|big cat]] and [[dog]].]] b", ["a b"]),
    "image": ("[[Image:x.png]]text", ["text"]),
    "file with line break": ("[[File:x.jpg|thumb|one\ntwo [[three]]\n\nfour]]text", ["text"]),
    "file in unknown namespace": ("[[Whatever:x.jpg|thumb|200px|caption]]text", ["text"]),
    "nested files": ("[[File:a.jpg|thumb|a [[File:b.jpg|b [[c]]]] d]]text", ["text"]),
    "link to a file": ("see [[:File:x.jpg]] now", ["see File:x.jpg now"]),
    "file that sets words apart": ("one[[File:x.jpg|thumb|y]]two", ["one two"]),
    "file that nothing ends": ("[[File:x.jpg|thumb|He [[left a and [[b|c]].]] d", ["He left a and c. d"]),
    "category": ("text\n[[Category:Cats|Cat]]\n[[category: Dogs]]", ["text"]),
    "link to a category": ("in [[:Category:Cats|these]] now", ["in these now"]),
    "language link": ("text\n[[de:Katze]]\n[[zh-min-nan:Niau]]", ["text"]),
    "link to a language": ("as [[:de:Katze|Germans]] say", ["as Germans say"]),
    "sister project": ("a [[wikt:cat|cat]] sat", ["a cat sat"]),
    # templates and tables
    "template": ("a{{x|y=z}} b", ["a b"]),
    "nested templates": ("a {{x|{{y|{{z}}}}|{{w}}}}b", ["a b"]),
    "template over lines": ("{{Infobox\n| name = x\n| y = {{z}}\n}}\ntext", ["text"]),
    "template with link and file": ("{{x|[[a|b]] [[File:c.jpg|d]]}}text", ["text"]),
    "parameter": ("a {{{1|{{x}}}}} b", ["a b"]),
    "template in braces": ("a {{x|{{{1}}}}} b", ["a b"]),
    "language template": ("the {{lang|fr|chat noir}} sat", ["the chat noir sat"]),
    "language template with link": ("the {{lang|fr|[[chat|chats]]}} sat", ["the chats sat"]),
    "measure": ("{{convert|5|to|10|km|mi|abbr=on}} away", ["5 to 10 km away"]),
    "feet and inches": ("{{convert|5|ft|6|in|m}} tall", ["5 ft 6 in tall"]),
    "no break": ("{{nowrap|10 o'clock}} now", ["10 o'clock now"]),
    "page name": ("{{PAGENAME}} is here", ["Page is here"]),
    "table": ("a\n{| class=x\n|-\n| b || c\n|}\nd", ["a", "d"]),
    "nested table": ("a\n{|\n| b\n{|\n| c\n|}\n| d\n|}\ne", ["a", "e"]),
    "indented table": ("a\n:{|\n| b\n|}\nc", ["a", "c"]),
    "table with templates and links": ("a\n{|\n| {{x|}}\n| [[b|c]] ''d''\n|}\ne", ["a", "e"]),
    "html table": ("a <table><tr><td>b</td></tr></table> c", ["a", "c"]),
    # elements
    "reference": ("a<ref>b [[c]] {{d}}</ref>.", ["a."]),
    "named reference": ('a<ref name="b" /> c<ref name="b">d</ref>.', ["a c."]),
    "self-closing before a paired one": ("a<ref name=b/> c <ref>d</ref>e", ["a c e"]),
    "reference in capitals": ("a<REF>b</Ref>c", ["ac"]),
    "reference list": ("a\n<references>\n<ref name=b>c</ref>\n</references>", ["a"]),
    "comment": ("a <!-- b [[c]] -->d", ["a d"]),
    "comment line": ("a\n<!-- b -->\nc", ["a c"]),
    "math": ("so <math>x^2 {{y}}</math> holds", ["so holds"]),
    "gallery": ("a\n<gallery>\nFile:b.jpg|c\n</gallery>\nd", ["a", "d"]),
    "nowiki": ("a <nowiki>[[b]] {{c}} ''d'' &</nowiki> e", ["a [[b]] {{c}} ''d'' & e"]),
    "empty nowiki": ("a<nowiki />b", ["ab"]),
    "pre": ("a\n<pre>\n * b [[c]]\n{{d}}\n</pre>\ne", ["a", "* b [[c]]", "{{d}}", "e"]),
    "source": ("a\n<source lang=c>\nint b;\n</source>\nc", ["a", "c"]),
    "syntaxhighlight": ('a\n<syntaxhighlight lang="c">int b;</syntaxhighlight>\nc', ["a", "c"]),
    "inline code": ('a <syntaxhighlight lang="c" inline>x[1]</syntaxhighlight> b', ["a x[1] b"]),
    "formatting tags": ("H<sub>2</sub>O <small>is</small> <span style='x'>wet</span>", ["H2O is wet"]),
    "less than": ("a < b and c > d, e <f", ["a < b and c > d, e <f"]),
    "unknown tag": ("the <title> tag", ["the <title> tag"]),
    "line break": ("one<br>two<br />three<br\\>four</br>five", ["one", "two", "three", "four", "five"]),
    "block": ("one<p>two</p><div class=x>three</div>", ["one", "two", "three"]),
    "poem": ("<poem>\none\ntwo\n</poem>", ["one", "two"]),
    "transclusion": ("a<noinclude>b</noinclude><includeonly>c</includeonly>", ["ab"]),
    "hidden element": ("a<span style='display:none'>b</span> c <div style=\"display: none\">d</div>e", ["a c e"]),
    "hidden element with others in it": (
        "<div style='display:none'>b <b>c</b> <DIV>d</DIV><br/> e</div>a <span style='Display : none'>f<i>g</i></span>h"
        "\n\n<span style='display:none'>i<b style='display:none'>j</span>k</b>l",
        ["a h", "l"],
    ),
    "hidden element that nothing ends": (
        "<div style='display:none'>b <b>c</b>\n\n<div style='display:none'>d\n\n== E ==\nf</div>",
        ["b c", "d", "f"],
    ),
    "heading of HTML": ("a\n<h2 id=x>B</h2>\nc", ["a", "c"]),
    "rows by a template": ("a\n{{start}}\n<tr><td>b</td><td>c</td></tr>\n{{end}}\nd", ["a", "d"]),
    "element in an attribute": ('<span <noinclude>id="b"</noinclude>>a</span> c', ["a c"]),
    "division that nothing opened": ("* a</div>b", ["ab"]),
    # characters
    "entities": ("a&nbsp;b &amp; c &ndash; d &#65; &#x42; &eacute;", ["a b & c – d A B é"]),
    "escaped markup": ("&lt;ref&gt; &#91;&#91;a&#93;&#93; &amp;nbsp;", ["<ref> [[a]] &nbsp;"]),
    "no entity": ("AT&T &copy &nosuch; &#xD800;x", ["AT&T &copy &nosuch; &#xD800;x"]),
    "bold and italic": ("'''a''' ''b'' '''''c'''''", ["a b c"]),
    "apostrophe before italic": ("e l'''amico'' di x", ["e l'amico di x"]),
    "apostrophe before bold": ("L''''Italia'''", ["L'Italia"]),
    "odd bold and italic": ("'''a''' l'''b''", ["a l'b"]),
    "plain apostrophes": ("the dogs' o'clock", ["the dogs' o'clock"]),
    "white space": ("a \u3000 b\tc", ["a b c"]),
    "hollow brackets": ("Cat ({{x}}; {{y}}) and dog ({{x}}, a) or (b {{z}})", ["Cat and dog (a) or (b)"]),
    "space before comma": ("a {{x}}, b {{y}}.", ["a, b."]),
    "entities in nowiki": ("<nowiki>&lt;b&gt; &#91;[c]&#93;</nowiki>", ["<b> [[c]]"]),
    "no characters": ("a&#xFFFE; &#128; &#x1FFFF; &ampamp; &#x0000043;", ["a&#xFFFE; &#128; &ampamp; C"]),
    "file between runs": ("a '''[[File:b.jpg]]''' c", ["a c"]),
    "emphasis in labels before an apostrophe": (
        "[[a|''A'']]'s, [[b|''B'']]'s and [https://x.org ''C'']'s",
        ["A's, B's and C's"],
    ),
    "emphasis in a label in emphasis": ("''[[HMS Foo|HMS ''Foo'']]'' sank.", ["HMS Foo sank."]),
    "emphasis behind a label": ("[[a|''a'']]''b'' [[Hawai']]''c'' [[d' (e)|]]''f''", ["ab Hawai'c d'f"]),
    "emphasis that a label leaves open": ("[[a|'''b'']] c ''d'' e", ["'b c d e"]),
    "emphasis in templates": ("''{{lang|fr|''chat''}}'' {{lang|fr|''a''}}{{lang|fr|''b''}}", ["chat ab"]),
    "emphasis around nothing": ("''[[File:b.jpg]][[Category:c]]''a ''[https://x.org]''b ''{{#if:|x}}''c", ["a b c"]),
    "emphasis beside elements": (
        "''θ''<sub>''i''</sub>''k'' ''a''<ref>b</ref><ref name=c/>''d'' <b><i>''e''</i></b>'s",
        ["θik ad e's"],
    ),
    "emphasis beside a comment": ("''a''<!-- b -->''c''", ["a'c"]),
    # lines
    "bang first": ("'''!!!''' is a band.\n\n!Kung people live there.", ["!!! is a band.", "!Kung people live there."]),
    "links first": (
        "[[!!!]] sang.\n\n[[#1 Record]] sold.\n\n* [[*NSYNC]] too.\n\n''[[!!!|!]]'' came.\n\n<b>#1</b> was.",
        ["!!! sang.", "#1 Record sold.", "*NSYNC too.", "! came.", "#1 was."],
    ),
    "equals first": ("''=1'' is a title=", ["=1 is a title="]),
    "head of a table by a template": ('a\n{{top}}\n!colspan="2"|B!!C\n|-\n|d||e\n!rowspan=2|f!!3\n|}\ng', ["a", "g"]),
    "cells over lines": ("a\n{{top}}\n|-\n! style=x|Year\n| 2001\nof the cell\n|-\n|}\nb", ["a", "b"]),
    "head among rows": ("a\n! Year\n| b || c\nd", ["a", "d"]),
    "bar alone": ("a\n|b\n\nc", ["a |b", "c"]),
    "marks alone": ("a\n\n...\n\n{{x}}.\n\nb", ["a", "...", "b"]),
    "equals alone": ("a\n===\nb", ["a", "b"]),
    "term with a time": ("; '''1:00''' : b", ["1:00", "b"]),
    "term with a link": (";[https://x.org a :b] :c", ["a :b", "c"]),
    "term with an element": (";a <b>c : d</b>:e", ["a c : d", "e"]),
    "switch in any case": ("a __notoc__ b __NoToc__ c __init__", ["a b c __init__"]),
    "template alone parts paragraphs": ("a\n{{x}}\nb", ["a", "b"]),
    "heading with a template": ("a\n== B {{x}} == {{y}}\nc", ["a", "c"]),
    "paragraph": ("one\ntwo\n\nthree", ["one two", "three"]),
    "bullets": ("* one\n** two\n# three", ["one", "two", "three"]),
    "definition": ("; term : meaning\n: more", ["term", "meaning", "more"]),
    "definition with address": ("; https://x.org", ["https://x.org"]),
    "indent": ("::: said", ["said"]),
    "preformatted": ("a\n b\nc", ["a", "b", "c"]),
    "rule": ("a\n----\nb", ["a", "b"]),
    "magic words": ("__NOTOC__\n__НЕТ_ОГЛ__\na __init__ b", ["a __init__ b"]),
    # what is broken
    "open template": ("a {{x|b\n\nc d", ["a x|b", "c d"]),
    "open link": ("a [[x b\n\nc [[d]] e", ["a x b", "c d e"]),
    "open link around a paragraph": ("a [[x b\n\nc]] d", ["a x b", "c d"]),
    "open table": ("a\n{| class=x\n|-\n| b\n== T ==\nc", ["a", "c"]),
    "open table in open template": ("a {{x\n{|\n| b\n|}\nc", ["a x", "c"]),
    "open comment": ("a <!-- b\n\nc", ["a"]),
    "open reference": ("a <ref>b\n\nc <ref>d</ref> e", ["a b", "c e"]),
    "open reference before a heading": ("a <ref>b\n== T ==\nc</ref> d", ["a b", "c d"]),
    "closed too often": ("a }} b ]] c |} d </ref> e", ["a b ]] c |} d e"]),
    "crossed": ("a [[x|{{y]] b}} c]] d", ["a c d"]),
    "table end alone": ("a\n|}\nb", ["a", "b"]),
    "pipe trick with two brackets": ("[[a (b) (c) |]], [[d (e|]], [[f) |]], [[g（h）|]]", ["a (b), d (e, f), g"]),
    "term with elements": (";a <b x>b:c</B> d<i>e<b></b> :f", ["a b:c de", "f"]),
    "row alone": ("a\n| b || c\nd", ["a", "d"]),
    "heads alone": ("a\n! b !! c\n\nd", ["a", "d"]),
    "heads with attributes alone": ('a\n!id=b=1 width = "2 em" | c\n\nd', ["a", "d"]),
    "text with marks of heads": ("a\n!! b\n! id=c\n! d ! e", ["a !! b ! id=c ! d ! e"]),
    "only markup": ("{{x}}\n[[Category:y]]\n* \n----", []),
    "empty": ("", []),
}


@pytest.mark.parametrize("name", CASES)
def test_markup(name):
    text, expected = CASES[name]
    assert lines(text) == expected


def test_sections_have_the_path_of_their_headings():
    text = "lead\n== A ==\na\n=== B ===\nb\n==== ''C'' {{x}}====\nc\n== D<ref>x</ref> ==\nd\n=== empty ===\n= E =\ne"
    assert clean(text, ENGLISH) == [
        ("", ["lead"]),
        ("A", ["a"]),
        ("A / B", ["b"]),
        ("A / B / C", ["c"]),
        ("D", ["d"]),
        ("E", ["e"]),
    ]


def test_headings_too_long_for_a_path_are_text():
    path = "A" * 500 + " / " + "B" * 521
    text = f"= {'A' * 500} =\na\n== {'B' * 521} ==\nb\n=== C ===\nc\n== {'D' * 522} ==\n==== ====\nd\n== E ==\ne"
    assert clean(text, ENGLISH) == [
        ("A" * 500, ["a"]),
        (path, ["b", "=== C ===", "c", f"== {'D' * 522} ==", "d"]),
        ("A" * 500 + " / E", ["e"]),
    ]
    long = clean(f"= {'t' * 50_000} =\n" + "==a==\nx\n" * 6_000, ENGLISH)
    assert [path for path, _ in long] == ["", *["a"] * 6_000]


def test_namespaces_of_the_site():
    bulgarian = dialect("bg", {6: "Файл", 14: "Категория"})
    assert lines("[[Файл:x|текст [[y]]]]котка [[Категория:Котки]][[File:x]]", bulgarian) == ["котка"]
    made_up = dialect("xx", {6: "Zorb pic", 14: "Zorb kind"})
    assert lines("[[zorb_pic:x|y]]a [[Zorb kind:z]]", made_up) == ["a"]
    assert lines("[[zorb_pic:x|y]]a", ENGLISH) == ["ya"]


@pytest.mark.parametrize(
    ("language", "mark", "shown"),
    [
        ("zh", "-{zh-hans:计算机; zh-hant:電腦;}-", "计算机"),
        ("zh-tw", "-{zh-hans:计算机; zh-hant:電腦;}-", "電腦"),
        ("zh-tw", "-{zh-cn:软件; zh-tw:軟體;}-", "軟體"),
        ("zh", "-{简体}-", "简体"),
        ("zh", "-{A|zh-hans:甲; zh-hant:乙}-", "甲"),
        ("zh", "-{H|zh-hans:甲; zh-hant:乙}-", ""),
        ("zh", "-{T|zh-hans:甲; zh-hant:乙}-", ""),
        ("zh", "-{zh-hans|甲}-", "甲"),
        ("zh", "-{R|甲:乙}-", "甲:乙"),
        ("zh", "-{[[链接|甲]]}-", "甲"),
        ("zh", "[[目标|-{zh-hans:甲; zh-hant:乙}-]]", "甲"),
        ("zh", "-{zh-hans:-{甲}-丙; zh-hant:乙}-", "甲丙"),
        ("sr", "-{sr-ec:а; sr-el:b}-", "а"),
    ],
)
def test_language_converter(language, mark, shown):
    assert lines(f"前{mark}后", dialect(language)) == [f"前{shown}后"]


def test_language_converter_keeps_semicolons_of_a_rule():
    assert converted("zh-hans:a;b; zh-hant:c", ("zh-hans", "zh-hant")) == "a;b"
    assert converted("x => zh-hans : a;b:c;zh-hans:d;e", ("zh-hans", "zh-hant")) == "a;b:c;e"


def test_converter_marks_mean_nothing_in_english():
    assert lines("a -{b}- c") == ["a -{b}- c"]


def test_chinese_lines_join_without_space():
    assert lines("一\n二", dialect("zh")) == ["一二"]


OPENERS = ["{{", "[[", "{|\n", "<ref>", "<!--", "<gallery>", "{{{", "[http://x ", "''", "-{", "<poem>", "<table>", "[["]
OPENERS += [
    "[[File:a|",
    "\n{|",
    "__A",
    "<ref name=",
    "{{a|[[",
    "}}",
    "]]",
    "<REF>",
    "((",
    "(,",
    "&amp",
    "<nowiki>",
    "|}",
]


@pytest.mark.parametrize("opener", OPENERS)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_fifty_thousand_openers_are_quick(opener, language):
    wiki = dialect(language)
    for tail in ("", " x]] x}} x</ref> x--> x</poem> x</gallery>\n|}\n"):
        started = time.process_time()
        clean(opener * 50_000 + "text" + tail, wiki)
        assert time.process_time() - started < 2


@pytest.mark.parametrize(
    ("opener", "closer"), [("{{", "}}"), ("[[", "]]"), ("{{a|[[", "]]}}"), ("\n{|\n", "\n|}"), ("-{", "}-")]
)
def test_deep_nesting_is_quick(opener, closer):
    started = time.process_time()
    clean("a " + opener * 50_000 + "text" + closer * 50_000 + " b", dialect("zh"))
    assert time.process_time() - started < 2


# No time is measured from here on: with patterns that look back, each page would take more than the limit of a test.
N = 1_000_000
ENDLESS = {
    "attributes of a head": ("x\n!a=" + "bb=" * 50_000 + "\ny", "x !a=" + "bb=" * 50_000 + " y"),
    "a long head": ("x\n!" + "a" * N, "x !" + "a" * N),
    "the address of a link": ("[http://" + "a" * N, "[http://" + "a" * N),
    "blanks behind an address": ("[http://a" + " " * N + "b", "[http://a b"),
    "blanks in a bracket": ("a ({{x}} b" + " " * N + "c) d", "a (b c) d"),
    "blanks before a label": ("a ({{x}}" + " " * N + "k: {{x}}) d", "a (k) d"),
    "blanks after a lost template": ("a {{x}}" + " " * N + "b", "a b"),
    "lost templates in an open bracket": ("a (" + "{{x}}b" * (N // 2), "a (" + "b" * (N // 2)),
    "open elements in a term": ("\n;" + "<b>" * (N // 2) + "a:b<i>c:d</i>", ["a", "bc:d"]),
    "ends of other elements in a term": ("\n;" + "<i><b></i>" * (N // 5) + "a:b", ["a", "b"]),
    "hidden elements without an end": (
        "<b>b</b><i " + "display:none " * (N // 2) + "c",
        "b<i " + "display:none " * (N // 2) + "c",
    ),
    "hidden elements": ("a" + "<i style='display:none'>b<b>c</b></i>" * (N // 20) + "d", "ad"),
    "hidden elements in each other": ("a" + "<i style='display:none'>b" * 500 + "</i>" * 500 + "c", "ac"),
    "hidden elements far apart": ("<i style='display:none'>" * (N // 20) + "a" + "</i>" * (N // 20) + "b", "b"),
    "blanks in a pipe trick": ("[[a" + " " * N + "b|]]", "a b"),
    "blanks in a gauge": ("a {{railgauge|4ft" + " " * N + "x}}", "a 4 ft"),
    "a gauge of blanks": ("a {{railgauge|4" + " " * N + "x}}", "a 4 x"),
    "separators": ("(a) ( b " + ",;" * N + "c", "(a) (b " + ",;" * N + "c"),
}


@pytest.mark.parametrize("name", ENDLESS)
def test_long_pages_end(name):
    text, expected = ENDLESS[name]
    assert lines(text) == ([expected] if isinstance(expected, str) else expected)


def test_long_marks_of_a_language_converter_end():
    assert lines("前-{" + " " * N + "x:甲}-后", dialect("zh")) == ["前 x:甲后"]
    assert lines("前-{zh-hans:甲" + ";乙" * N + "}-后", dialect("zh")) == ["前甲" + ";乙" * N + "后"]
