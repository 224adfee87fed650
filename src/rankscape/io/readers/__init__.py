"""Readers: the formats of other tools, one small module each; ``table`` lists them."""
