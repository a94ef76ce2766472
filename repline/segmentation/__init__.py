"""Word segmentation of languages that write no spaces between words."""
