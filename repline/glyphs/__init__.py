"""Characters as pictures: bitmaps of any font (`font_rendering`), kept with their characters (`bitmaps`); `recipes`."""
