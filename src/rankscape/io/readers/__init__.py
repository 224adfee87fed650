"""Readers: the formats of other tools, one small module each; what stands here is found by ``io.reading``."""
