"""Names of scores as they are compared."""

import re


def normalized(name: str) -> str:
    """Return a name without case, spaces, hyphens, dashes, underscores, dots or apostrophes.

    >>> normalized("Cohen's kappa") == normalized("cohens-KAPPA")
    True
    >>> normalized("J₊"), normalized("J-")
    ('jplus', 'jminus')
    """
    text = name.strip().lower()
    text = text.replace("tau", "τ").replace("pi", "π") if re.fullmatch(r"(tau|pi)[+\-−]", text) else text
    text = re.sub(r"[+₊]$", "plus", text)
    text = re.sub(r"[-−₋]$", "minus", text)
    return re.sub(r"[\s\-‐‑–—_.'’′`]", "", text)
