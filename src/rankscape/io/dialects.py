"""Dialects of SQL: how each writes names, texts and types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

DialectName: TypeAlias = Literal["postgres", "bigquery", "snowflake", "spark", "duckdb"]
"""The dialects in which a query that counts can be written."""


class Dialect(NamedTuple):
    """What a dialect has of its own: the sign around names, whether a backslash escapes, and the names of types.

    ``longest`` is how many bytes the name of a column in the result may have, ``arrows`` whether it may have an arrow.
    """

    sign: str
    backslash: bool
    text: str
    double: str
    whole: str = "DECIMAL(38, 0)"
    longest: int = 255
    arrows: bool = True
    backslash_in_names: bool = False
    escaping: str = ""
    """What announces backslashes in a text where a setting decides whether they escape."""

    def name(self, text: str) -> str:
        r"""Return the name of a column or a table, quoted.

        >>> print(DIALECTS["postgres"].name('a"b'), DIALECTS["bigquery"].name("a`b"))
        "a""b" `a\`b`
        """
        inside = _escaped(text, self.sign) if self.backslash_in_names else text.replace(self.sign, self.sign * 2)
        return f"{self.sign}{inside}{self.sign}"

    def literal(self, text: str) -> str:
        r"""Return a text as a literal.

        >>> print(DIALECTS["duckdb"].literal("it's"), DIALECTS["spark"].literal("it's"))
        'it''s' 'it\'s'
        """
        if self.backslash:
            return f"'{_escaped(text, chr(39))}'"
        doubled = text.replace("'", "''")
        if self.escaping and "\\" in text:
            return self.escaping + "'{}'".format(doubled.replace("\\", "\\\\"))
        return f"'{doubled}'"


def _escaped(text: str, quote: str) -> str:
    """Return a text with backslashes before what would end it, or break its line."""
    signs = {"\\": "\\\\", quote: f"\\{quote}", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return "".join(signs.get(sign, sign) for sign in text)


DIALECTS: Mapping[DialectName, Dialect] = {
    "postgres": Dialect('"', False, "TEXT", "DOUBLE PRECISION", longest=63, escaping="E"),
    "bigquery": Dialect("`", True, "STRING", "FLOAT64", "NUMERIC", arrows=False, backslash_in_names=True),
    "snowflake": Dialect('"', True, "VARCHAR", "DOUBLE"),
    "spark": Dialect("`", True, "STRING", "DOUBLE"),
    "duckdb": Dialect('"', False, "VARCHAR", "DOUBLE"),
}
