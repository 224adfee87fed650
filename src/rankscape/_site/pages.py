"""The pages of a site, rendered from templates: whatever comes from outside is text, and nothing is loaded."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from importlib import resources
from typing import Any
from urllib.parse import quote

from .._report.card import data_hash
from .._report.figures import Figure
from .._report.render import cell_text
from ..errors import MissingExtraError
from ..explorer.document import as_script_data, digest
from ..look import pretty
from ..texts import capitalized, counted, isolated, level_text, of_draws, shortened, visible
from ..version import __version__
from .challenge import Challenge
from .history import History, Update
from .method_pages import method_pages
from .pairs import pairs
from .places import domain_pages

KINDS = {"up": "up", "down": "down", "new": "new", "gone": "withdrawn", "tie": "same rank"}
MOST_CHANGES = 1000
"""The page of changes lists so many changes of ranks at most, the latest updates first."""


class Renderer:
    """The templates of a site, with what all pages share."""

    def __init__(self, challenge: Challenge, menu: list[tuple[str, str, str]]) -> None:
        self.challenge = challenge
        style, script = _file("site.css"), _file("site.js")
        policy = (
            f"default-src 'none'; style-src {digest(style)}; script-src {digest(script)}; img-src 'self' data:; "
            "base-uri 'none'; form-action 'none'"
        )
        markup = _environment().markup
        self.shared = {
            "policy": policy, "style": markup(style), "script": markup(script), "menu": menu, "site": challenge.about,
            "made": _made(challenge), "slugs": challenge.slugs, "colors": challenge.colors, "cell_text": cell_text,
            "value_title": challenge.value_title, "shortened": shortened,
            "sentence": self.sentence,
        }  # fmt: skip

    def sentence(self, text: str) -> str:
        """Return a text as it stands on a line: names as they are spelled, and F₁ for F_1."""
        return self.challenge.printed(capitalized(text, self.challenge.names))

    def __call__(self, template: str, root: str = "", **context: Any) -> bytes:
        """Return a page."""
        page = _environment().get_template(f"{template}.html.j2")
        text: str = page.render(self.shared | {"root": root, "page": template} | context)
        return text.encode("utf-8", "backslashreplace")


def pages(
    challenge: Challenge, history: History, files: list[tuple[str, str]], figures: list[Figure]
) -> dict[str, bytes]:
    """Return the pages, by their names in the site; ``files`` are those to download, with their titles."""
    menu = [("index", "Leaderboard", "index.html")]
    menu += [("domains", "Domains", "domains.html")] if challenge.places else []
    menu += [("compare", "Compare two", "compare.html")] if len(challenge.names) > 1 else []
    menu += [("about", "How it is ranked", "about.html"), ("explorer", "Explorer", "explorer.html"),
             ("changes", "Changes", "changes.html")]  # fmt: skip
    render = Renderer(challenge, menu)
    out = {"index.html": _index(render, files)}
    out["about.html"] = render("about", sections=challenge.sections, figures=figures)
    out["changes.html"] = render("changes", updates=list(_updates(history)), kinds=KINDS)
    if len(challenge.names) > 1:
        carried = _environment().markup(as_script_data(pairs(challenge)))
        out["compare.html"] = render("compare", pairs=carried, has_domains=bool(challenge.places),
                                     without_intervals=challenge.without_intervals)  # fmt: skip
    for file, template, context in domain_pages(challenge):
        out[file] = render(template, "../" if "/" in file else "", **context)
    for name, context in method_pages(challenge, history):
        out[f"methods/{challenge.slugs[name]}.html"] = render("method", "../", name=name, **context)
    return out


def _index(render: Renderer, files: list[tuple[str, str]]) -> bytes:
    challenge = render.challenge
    board, intervals = challenge.board, challenge.intervals
    n_domains, compared = challenge.asked.performances.n_domains, len(challenge.asked.prepared.domains)
    facts = [("Methods", str(len(challenge.names))), ("Ranked by", challenge.printed(board.by))]
    if n_domains > 1:
        facts.append(("Domains", str(n_domains) if compared == n_domains else f"{compared} of {n_domains}"))
    facts += [("Organizer", challenge.about.organizer)] if challenge.about.organizer else []
    facts += [("Updated", challenge.about.date)] if challenge.about.date else []
    answer = challenge.answer
    sure = next((section.lines for section in challenge.sections if section.title == "How sure"), ())
    how = [*board.title().splitlines()[1:], *_how_to_read(challenge), *board.about_ties(), *board.about_undefined()]
    notes = [*answer[1:], *challenge.asked.prepared.sentences(), *board.notes_of_ranking]
    account = challenge.asked.performances.account
    notes += [] if account is None or account.plain else [account.sentence()]
    lines = [render.sentence(line) for line in (*how, *notes) if line]
    return render(
        "index", lead=challenge.printed(answer[0]), facts=facts, standings=challenge.standings, downloads=files,
        metadata=challenge.metadata, tiers=intervals is not None, how_to_read=list(dict.fromkeys(lines)),
        sure=list(map(render.sentence, sure)),
    )  # fmt: skip


def _how_to_read(challenge: Challenge) -> list[str]:
    intervals = challenge.intervals
    if intervals is None:
        return []
    symbol, level = pretty(challenge.asked.score.symbol), level_text(intervals.level)
    held = of_draws(intervals.held, intervals.draws)
    return [
        f"Bars show the value of {symbol} and its interval, a {level} credible interval by itself",
        f"Ranks: the ranks that a method may have; all of them hold together in {held} (level {level})",
        "P(first): the probability of coming first on new data",
        "A line begins a tier: its first method is surely worse than the first of the tier before",
    ]


def _updates(history: History) -> Iterator[dict[str, Any]]:
    left = MOST_CHANGES
    for update in reversed(history.updates):
        rows = update.changes[: max(0, left)]
        left -= len(rows)
        hidden = len(update.changes) - len(rows)
        lines = [_in_words(update)] + ([f"{counted(hidden, 'change')} not listed"] if hidden else [])
        lines += [f"The question changed. Now: {update.question}"] if update.question else []
        date = f" · {update.date}" if update.date else ""
        yield {"title": f"Update {update.number}{date}", "lines": lines, "rows": rows}


def _in_words(update: Update) -> str:
    if update.number == 1:
        return f"First published, with {counted(update.methods, 'method')}"
    kinds = [change.kind for change in update.changes]
    parts = [f"{kinds.count(kind)} {title}" for kind, title in KINDS.items() if kind in kinds]
    changed = ", ".join(parts) if parts else "No rank changed, but values did"
    return f"{counted(update.methods, 'method')}. {changed}"


def _made(challenge: Challenge) -> list[str]:
    drawn = challenge.asked.drawn
    seed = [] if drawn is None else [f"{len(drawn)} draws, seed {'unknown' if drawn.seed is None else drawn.seed}"]
    made = "; ".join([f"Made with rankscape {__version__}", *seed])
    return [made, f"SHA-256 of names, domains and numbers: {data_hash(challenge.asked.performances)}"]


def _file(name: str) -> str:
    return resources.files(__package__).joinpath("templates", name).read_text("utf-8")


class _Templates:
    """Jinja's environment: everything is escaped, and characters that move text or cursor are made visible."""

    def __init__(self) -> None:
        try:
            import jinja2
            import markupsafe
        except ImportError as error:
            raise MissingExtraError(
                "the site needs the package jinja2: install it with pip install 'rankscape[site]'"
            ) from error
        self.markup: Callable[[str], Any] = markupsafe.Markup

        def plain(value: Any) -> Any:
            safe = not isinstance(value, str) or isinstance(value, markupsafe.Markup)
            return value if safe else isolated(visible(value))

        self._environment = jinja2.Environment(
            loader=jinja2.FunctionLoader(_file), autoescape=True, undefined=jinja2.StrictUndefined, finalize=plain,
            trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True,
        )  # fmt: skip
        self._environment.filters["quoted"] = quote
        self.get_template = self._environment.get_template


@cache
def _environment() -> _Templates:
    return _Templates()
