"""Chinese lexicons: the dictionary CC-CEDICT, the parts of characters, and analogies that are made from them."""
