"""Reports: tables and numbers as text, for a terminal, a spreadsheet, a program or a paper; and the ranking card."""

from .render import FORMATS, PAGE, decimals, in_words, records, render, to_json, wrapped

__all__ = ["FORMATS", "PAGE", "decimals", "in_words", "records", "render", "to_json", "wrapped"]
