import pytest

from repline.errors import InputError
from repline.segmentation.primary_language import primary_language


@pytest.mark.parametrize(
    ("code", "primary"),
    [
        ("zh", "zh"),
        ("ZH-tw", "zh"),
        ("zh_CN", "zh"),
        ("cmn-Hans", "zh"),
        ("jpn", "ja"),
        ("eng", "en"),
        ("nds-nl", "nds"),
    ],
)
def test_the_first_part_of_a_code_is_the_language(code, primary):
    assert primary_language(code) == primary


@pytest.mark.parametrize(("code", "meant"), [("jp", "ja"), ("cn", "zh"), ("CZ", "cs"), ("uu", "one of ISO 639")])
def test_two_letters_that_are_no_language_are_refused(code, meant):
    with pytest.raises(InputError, match=f"found '{code}', which is the code of none; take {meant}"):
        primary_language(code)


@pytest.mark.parametrize("code", ["", "deutsch", "j", "zh CN", "日本語"])
def test_what_is_no_code_is_refused(code):
    with pytest.raises(InputError, match="expected the code of a language, such as de, zh or ja, found"):
        primary_language(code)
