"""Wikipedia dumps: decompression, the dump's XML, pages, and their extraction to a corpus of articles."""
