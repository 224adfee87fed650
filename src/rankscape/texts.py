"""Texts from outside, such as names, as they may stand in a sentence, a terminal or a figure."""

import unicodedata


def visible(text: str) -> str:
    r"""Return text without what moves a cursor, colors a terminal or turns the direction of writing: escaped instead.

    >>> visible("a\x1b[31mb\nc")
    'a\\x1b[31mb\\nc'
    """
    return "".join(
        character.encode("unicode_escape").decode("ascii") if _hidden(character) else character for character in text
    )


def _hidden(character: str) -> bool:
    return unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp")


def shortened(text: str, width: int) -> str:
    """Return text of at most ``width`` characters, the middle left out.

    >>> shortened("a_very_long_name_of_a_model", 13)
    'a_very…_model'
    """
    if len(text) <= width:
        return text
    tail = (width - 1) // 2
    return f"{text[: width - 1 - tail]}…{text[len(text) - tail :]}"
