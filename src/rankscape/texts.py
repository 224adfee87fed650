"""Texts from outside, such as names, as they may stand in a sentence, a terminal or a figure."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import ceil, floor, inf, isfinite, log10
from typing import Any, Literal

WIDEST = 40
"""Characters of a name in a terminal."""

LONGEST_NAME = 80
"""Characters of a name in a sentence."""


def visible(text: str) -> str:
    r"""Return text without what moves a cursor, colors a terminal or turns the direction of writing: escaped instead.

    >>> visible("a\x1b[31mb\nc")
    'a\\x1b[31mb\\nc'
    """
    if text.isprintable():  # the usual case, and a quick one
        return text
    hidden = {character for character in text if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp")}
    return "".join(c.encode("unicode_escape").decode("ascii") if c in hidden else c for c in text)


_RIGHT_TO_LEFT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
_RUN = re.compile(f"[{_RIGHT_TO_LEFT}](?:[ _'\"-]?[{_RIGHT_TO_LEFT}])*")


def isolated(text: str) -> str:
    r"""Return a text for a reader in which words that run from right to left leave the numbers beside them in place.

    >>> ascii(isolated("1  \u05d0\u05d1 \u05d2  0.82")), isolated("U-Net 0.82")
    ("'1  \\u2068\\u05d0\\u05d1 \\u05d2\\u2069  0.82'", 'U-Net 0.82')
    """
    return text if text.isascii() else _RUN.sub("\u2068\\g<0>\u2069", text)


def columns(text: str) -> int:
    """Return how many columns of a terminal a text takes: two for each Chinese, Japanese or Korean character.

    >>> columns("U-Net"), columns("深度"), columns("e\u0301")
    (5, 4, 1)
    """
    wide = sum(unicodedata.east_asian_width(character) in "WF" for character in text)
    return len(text) + wide - sum(map(bool, map(unicodedata.combining, text)))


def padded(text: str, width: int, right: bool = False) -> str:
    """Return text with spaces after it, or before it, so that it takes so many columns."""
    space = " " * (width - columns(text))
    return space + text if right else text + space


def counted(n: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun.

    >>> counted(1, "entity", "entities"), counted(2, "domain")
    ('1 entity', '2 domains')
    """
    return f"{n} {one if n == 1 else many or one + 's'}"


def spelled(n: int) -> str:
    """Return a number as a word up to twelve, as in a sentence.

    >>> spelled(10), spelled(13)
    ('ten', '13')
    """
    small = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    return small[n] if n < len(small) else str(n)


def listed(names: Sequence[str], most: int = 16) -> str:
    """Return names with commas between them, the last ones left out where there are many.

    >>> listed(("a", "b", "c")), listed(("a", "b", "c"), most=2)
    ('a, b, c', 'a, b, … (3 in all)')
    """
    return ", ".join(names[:most]) + (f", … ({len(names)} in all)" if len(names) > most else "")


def some(
    names: Sequence[Any],
    most: int = 5,
    quote: str = '"',
    *,
    joint: str = ", ",
    word: Callable[[Any], str] | None = None,
) -> str:
    """Return the first few names in quotes, as they may be displayed, and how many more there are.

    ``word`` writes one item where :func:`label` is not what to write.

    >>> some(["a", "b"]), some(["a", "b", "c", "d"], most=2, quote="'")
    ('"a", "b"', "'a', 'b' and 2 more")
    >>> some([1, "x"], quote="", joint="; ", word=repr)
    "1; 'x'"
    """
    return joint.join(f"{quote}{(word or label)(name)}{quote}" for name in names[:most]) + and_more(len(names), most)


def joined(names: Sequence[str], most: int, word: Literal["and", "or"] = "and") -> str:
    """Return names as a list in a sentence.

    >>> joined(("a", "b", "c"), 3, "or"), joined(("a", "b", "c"), 1), joined(("a", "b"), 2)
    ('a, b or c', 'a and 2 more', 'a and b')
    """
    texts = [label(name) for name in names[:most]]
    if len(names) > most:
        return f"{', '.join(texts)} {word} {len(names) - most} more"
    return f" {word} ".join(filter(None, (", ".join(texts[:-1]), texts[-1])))


def tied(names: Sequence[str], most: int | None = None) -> str:
    """Return names that share a place, all of them or the first few.

    >>> tied(("a", "b", "c")), tied(("a", "b", "c"), 2)
    ('a = b = c', 'a = b and 1 more')
    """
    most = len(names) if most is None else most
    return " = ".join(map(label, names[:most])) + and_more(len(names), most)


def and_more(n: int, most: int) -> str:
    """Return how many of n things are left out behind the first few.

    >>> and_more(5, 2), and_more(2, 2)
    (' and 3 more', '')
    """
    return f" and {n - most} more" if n > most else ""


def inside(x: float) -> str:
    """Return a number of [0, 1] with three digits, or with as many as keep it off 0 and 1.

    >>> inside(0.12345), inside(0.99987), inside(1.0)
    ('0.123', '0.9999', '1')
    """
    for digits in range(3, 17):
        text = f"{x:.{digits}g}"
        if float(text) not in (0, 1) or x in (0, 1):
            break
    return text


def probability(p: float, needed: float | None = None) -> str:
    """Return a probability with three decimals, or with as many as keep it off 0 and 1, and on its side of a bound.

    >>> probability(0.6), probability(0.9997), probability(1.0), probability(0.94996, needed=0.95)
    ('0.600', '0.9997', '1.000', '0.94996')
    """
    if p != p:
        return "—"
    for digits in range(3, 17):
        text = f"{p:.{digits}f}"
        x = float(text)
        if (x in (0, 1)) == (p in (0, 1)) and (needed is None or (x >= needed) == (p >= needed)):
            break
    return text


def capitalized(text: str, names: Sequence[str] = ()) -> str:
    """Return a text that begins with a capital letter, or with a name as it is spelled.

    >>> capitalized("left out: x"), capitalized("svm is first", ["svm"])
    ('Left out: x', 'svm is first')
    """
    if not text[:1].islower():
        return text
    labels = tuple(f"{label(name)}{sign}" for name in names for sign in " ,:;")
    return text if text.startswith(labels) else text[:1].upper() + text[1:]


def rank_range(low: float, high: float) -> str:
    """Return the ranks from one to another; a dash where there are none.

    >>> rank_range(1.0, 3.0), rank_range(11.0, 11.0), rank_range(float("nan"), 0)
    ('1–3', '11', '—')
    """
    return "—" if low != low else f"{low:g}" if low == high else f"{low:g}–{high:g}"


def estimated(p: float) -> str:
    """Return a probability that draws estimate, with two decimals; no number of draws makes it 0 or 1.

    >>> estimated(0.6), estimated(1.0), estimated(0.0), estimated(float("nan"))
    ('0.60', '> 0.99', '< 0.01', '—')
    """
    return "—" if p != p else "> 0.99" if p > 0.995 else "< 0.01" if p < 0.005 else f"{p:.2f}"


def exact(number: float) -> str:
    """Return a number with as few digits as give it back, six where these do.

    >>> exact(0.25), exact(1234567.5), exact(0.9999995), exact(3.0)
    ('0.25', '1234567.5', '0.9999995', '3')
    """
    text = f"{number:g}"
    return text if float(text) == number else repr(number)


def ordinal(n: int) -> str:
    """Return a number as the place it stands for.

    >>> ordinal(1), ordinal(2), ordinal(11), ordinal(23)
    ('first', '2nd', '11th', '23rd')
    """
    ending = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return "first" if n == 1 else f"{n}{ending}"


def shortened(text: str, width: int) -> str:
    """Return text of at most ``width`` characters, the middle left out.

    >>> shortened("a_very_long_name_of_a_model", 13)
    'a_very…_model'
    """
    if len(text) <= width:
        return text
    tail = (width - 1) // 2
    return f"{text[: width - 1 - tail]}…{text[len(text) - tail :]}"


def one_line(name: object) -> str:
    """Return a name as it may stand in a sentence: visible, and of at most 80 characters."""
    return shortened(visible(str(name)), LONGEST_NAME)


def label(name: str, width: int = WIDEST) -> str:
    """Return a name as a terminal shows it: visible and not too long."""
    return shortened(visible(name), width)


def percent(share: float) -> str:
    """Return a share as text that never rounds to nothing, nor to everything.

    >>> percent(0.2994), percent(1), percent(0.9995), percent(0.0001)
    ('29.9 %', '100 %', '> 99.9 %', '< 0.1 %')
    """
    if share < 0.0005:
        return "< 0.1 %"
    if share > 1 - 1e-9:
        return "100 %"
    return "> 99.9 %" if share >= 0.9995 else f"{100 * share:.1f} %"


def level_text(level: float) -> str:
    """Return a level in percent, with all of its digits.

    >>> level_text(0.95), level_text(0.57), level_text(0.9999999)
    ('95 %', '57 %', '99.99999 %')
    """
    return f"{100 * level:.12g} %"


def of_draws(share: float, draws: int) -> str:
    """Return a share of draws as text; of all of them it says so.

    >>> of_draws(0.9925, 400), of_draws(1.0, 2000), of_draws(0.99975, 4000)
    ('99.2 % of 400 draws', 'all 2000 draws', '> 99.9 % of 4000 draws')
    """
    return f"all {counted(draws, 'draw')}" if share == 1 else f"{percent(share)} of {counted(draws, 'draw')}"


def grouped(number: float, digits: int = 0) -> str:
    """Return a number with a space before each three digits.

    >>> grouped(12340), grouped(-0.25, 2)
    ('12 340', '-0.25')
    """
    text = f"{number:,.{digits}f}".replace(",", " ")
    return text.removeprefix("-") if not text.strip("-0. ") else text


def amounts(values: Sequence[float], *, outward: bool = False) -> list[str]:
    """Return amounts with as many decimals as tell different ones apart, and from 0; undefined ones are a dash.

    The largest has three digits at least, unless all are whole numbers. They are rounded to the nearest; or, the ends
    of a range, ``outward``.

    >>> (
    ...     amounts([1234.5, 20.25]),
    ...     amounts([0.5, 0.0123, 0]),
    ...     amounts([3, 15]),
    ...     amounts([1.2345, 1.2344]),
    ...     amounts([144.7, 159.2], outward=True),
    ... )
    (['1 234', '20'], ['0.500', '0.012', '0.000'], ['3', '15'], ['1.2345', '1.2344'], ['144', '160'])
    """
    known = [value for value in values if value == value]
    largest = max(map(abs, known), default=0.0)
    digits = max(0, min(2 - floor(log10(largest)), 9)) if 0 < largest < inf else 0
    digits = 0 if all(abs(value - round(value)) <= 1e-12 * largest for value in known if abs(value) < inf) else digits
    apart = {0.0, *(value for value in known if abs(value) > 1e-12 * largest)}
    most = min(9, digits + 4)
    while digits < most and len({grouped(value, digits) for value in apart}) < len(apart):
        digits += 1
    if outward and all(map(isfinite, values)):
        units = [Fraction(repr(value)) * 10**digits for value in values]
        values = [way(unit) / 10**digits for way, unit in zip((floor, ceil), units, strict=True)]
    return ["—" if value != value else grouped(value, digits) for value in values]
