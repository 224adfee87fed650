"""Names of files: what is left of any name, and a hash where that would not tell it from others."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable

LONGEST, DIGITS = 40, 12
RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{i}" for port in ("com", "lpt") for i in range(1, 10))}
"""Names that Windows keeps for devices."""

_HASHED = re.compile(rf"(^|-)[0-9a-f]{{{DIGITS}}}$")


def slugs(names: Iterable[str]) -> dict[str, str]:
    """Return a name of a file for each name, without its suffix: a-z, 0-9 and hyphens, each one different.

    Where this leaves nothing, or the same of two names, the first digits of a SHA-256 follow, so that no other name can
    take the place of one.

    >>> slugs(["U-Net (2015)", "héros", "a/b", "A b"])
    {'U-Net (2015)': 'u-net-2015', 'héros': 'heros', 'a/b': 'a-b-c14cddc033f6', 'A b': 'a-b-a760b0e1e518'}
    >>> slugs(["../..", "con"])
    {'../..': 'x-0cfd1c96cbc0', 'con': 'con-1143da2bc54c'}
    """
    plain = {name: _plain(name) for name in names}
    times = Counter(plain.values())

    def unique(name: str, slug: str) -> str:
        clear = bool(slug) and times[slug] == 1 and slug not in RESERVED and not _HASHED.search(slug)
        return slug if clear else f"{slug or 'x'}-{_digest(name)}"

    return {name: unique(name, slug) for name, slug in plain.items()}


def _plain(name: str) -> str:
    letters = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", letters).strip("-")[:LONGEST].strip("-")


def _digest(name: str) -> str:
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:DIGITS]
