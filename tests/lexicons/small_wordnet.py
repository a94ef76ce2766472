"""Seven synsets as WNDB files and as XML, with what is difficult about each form."""

WNDB = {
    "data.noun": """  1 This software and database is being provided to you
00000001 03 n 02 animal 0 Beast 1 003 ~ 00000002 n 0000 ~i 00000003 n 0000 + 00000001 v 0201 | a living organism
00000002 03 n 0a dog 0 hound 0 Canis_familiaris 0 d4 0 d5 0 d6 0 d7 0 d8 0 d9 0 da 0 001 @ 00000001 n 0000 | "a | b"
00000003 18 n 01 Laika 0 001 @i 00000001 n 0000 | first in orbit
""",
    "data.verb": """00000001 30 v 01 brutalize 0 001 + 00000001 n 0102 01 + 08 00 | make brutal
""",
    "data.adj": """00000001 00 a 01 dry 0 002 ! 00000002 a 0101 & 00000003 a 0000 | free from liquid
00000002 00 a 01 wet(p) 0 001 ! 00000001 a 0101 | covered with liquid
00000003 00 s 02 arid 0 waterless(ip) 1 001 & 00000001 a 0000 | lacking rain
""",
}
XML = """<SYNSETS>
<SYNSET><ID>X-1-n</ID><SYNONYM><LITERAL>animal<SENSE>0</SENSE></LITERAL><LITERAL>Beast<SENSE>1</SENSE>\
<SR>X-1-v<TYPE>DERIVATION_RELATED</TYPE><TO>1</TO></SR></LITERAL></SYNONYM><POS>n</POS><DEF>a living &amp; thing</DEF>\
<SR>X-2-n<TYPE>HYPONYM</TYPE></SR></SYNSET>
<SYNSET><ID>X-2-n</ID><SYNONYM><LITERAL>Canis familiaris<SENSE>0</SENSE></LITERAL></SYNONYM><POS>n</POS>\
<SR>X-1-n<TYPE>HYPERNYM</TYPE></SR><ILR>Y-9<TYPE>SYNONYM</TYPE></ILR><EXAMPLE>the dog barked</EXAMPLE></SYNSET>
<SYNSET><ID>X-1-v</ID><SYNONYM><LITERAL>brutalize<SENSE>0</SENSE></LITERAL></SYNONYM><POS>v</POS></SYNSET>
<SYNSET><ID>X-3-s</ID><SYNONYM><LITERAL>arid<SENSE>0</SENSE></LITERAL></SYNONYM><POS>a</POS>\
<SR>X-4-a<TYPE>SIMILAR_TO</TYPE></SR></SYNSET>
<SYNSET><ID>X-4-a</ID><SYNONYM><LITERAL>dry<SENSE>0</SENSE></LITERAL></SYNONYM><POS>a</POS>\
<SR>X-3-a<TYPE>SIMILAR_TO</TYPE></SR></SYNSET>
<SYNSET><ID>X-5-r</ID><SYNONYM><LITERAL>drily<SENSE>0</SENSE></LITERAL></SYNONYM><POS>b</POS></SYNSET>
</SYNSETS>
"""


def write_wndb(folder, **changes):
    """The files of WNDB, with `old -> new` in one of them: write_wndb(folder, adj=("!", "?"))."""
    folder.mkdir(exist_ok=True)
    for name, text in WNDB.items():
        old, new = changes.get(name.removeprefix("data."), ("", ""))
        assert old in text
        (folder / name).write_text(text.replace(old, new, 1) if old else text)
    return folder
