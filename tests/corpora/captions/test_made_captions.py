"""Synthetic captions say what the triplets of their scenes say."""

import pytest

from repline.corpora.captions.caption_table import read_table
from repline.corpora.captions.made_captions import FORMS, events, make_pictures, triplet_tags, write
from repline.corpora.scenes.made_scenes import make_scenes
from repline.corpora.scenes.scene import Triplet
from repline.errors import InputError


def test_the_tags_of_a_triplet():
    assert triplet_tags(Triplet("mug_1", "Theme", "clean_2")) == ("mug Theme", "Theme clean")


def test_pictures_come_from_the_seed_alone():
    pictures = list(make_pictures(seed=3, pictures=40))
    assert list(make_pictures(seed=3, pictures=60))[:40] == pictures != list(make_pictures(seed=4, pictures=40))
    assert len({picture.name for picture in pictures}) == 40
    assert all(len(picture.captions) == 5 and len(set(picture.captions)) >= 4 for picture in pictures)


def test_what_a_caption_says_is_in_its_tags():
    nouns = {
        tag.split()[0] for picture in make_pictures(seed=0, pictures=200) for tag in picture.tags if tag[0].islower()
    }
    for picture in make_pictures(seed=0, pictures=200):
        tag_words = {word for tag in picture.tags for word in tag.split()}
        for caption in picture.captions:
            assert {word for word in caption.split() if word in nouns} <= tag_words, (caption, picture.tags)


def test_every_form_names_who_and_what():
    from random import Random

    event = next(events(next(make_scenes(seed=0, scenes=1, kinds=()))))
    for form in FORMS:
        words = form(event, Random(0)).split()
        assert event.agent in words and event.theme in words


def test_files_that_the_reader_of_tables_takes(tmp_path):
    write(tmp_path, seed=0, pictures=20, dev=3, test=4)
    pictures = list(read_table(tmp_path, (0.5, 0.5), 0))
    assert [picture.part for picture in pictures] == ["train"] * 13 + ["dev"] * 3 + ["test"] * 4
    with pytest.raises(InputError, match="expected more than 7 pictures"):
        write(tmp_path, seed=0, pictures=7, dev=3, test=4)
