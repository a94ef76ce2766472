"""Treebanks: CoNLL-U files, and a made one."""
