"""Captions of pictures with features of the pictures: readers, features made of captions, the corpus on disk."""
