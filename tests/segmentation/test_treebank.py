import pytest

from repline.segmentation.treebank import words


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("They don't; it's 1,000.", "They do n't ; it 's 1,000 ."),
        ('He said "no", didn\'t he?', 'He said " no " , did n\'t he ?'),
        ("We've seen the dogs' U.S. flags at 10:30...", "We 've seen the dogs ' U.S. flags at 10:30 ..."),
        ("I cannot, I'm gonna (perhaps) -- pay $5 & 3%!", "I can not , I 'm gon na ( perhaps ) -- pay $ 5 & 3 % !"),
        ("'Tis 'quoted' and/or well-known", "'T is ' quoted ' and/or well-known"),
        ("ISN'T IT", "IS N'T IT"),
        ("isn’t", "is n’t"),
        ("", ""),
    ],
)
def test_words(sentence, expected):
    assert words(sentence) == expected.split()


def test_split_text_stays():
    sentence = "you 'll need n't check it , do you ?"
    assert words(sentence) == sentence.split()
