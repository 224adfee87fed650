"""The names of this package, which ``__init__.py`` imports when they are asked for; type checkers read them here."""

from .decision import alternatives as alternatives
from .decision import decision_card as decision_card
from .decision import deployed as deployed
from .decision import last_words as last_words
from .decision import right_of as right_of
from .decision import stated_cost as stated_cost
from .leaderboard import leaderboard as leaderboard
from .leaderboard import shares_right as shares_right
from .pages import as_html as as_html
from .pages import as_markdown as as_markdown
from .pages import figures_of as figures_of
from .render import FORMATS as FORMATS
from .render import PAGE as PAGE
from .render import decimals as decimals
from .render import in_words as in_words
from .render import markdown_escaped as markdown_escaped
from .render import records as records
from .render import render as render
from .render import to_json as to_json
from .render import wrapped as wrapped
