"""The flavors of the Tile: what a map shows, what it needs, and which scale of colors it has, in one table."""

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

Scale: TypeAlias = Literal["regions", "sequential", "signed", "share", "rank", "domain"]
"""What the values of a map are: names, numbers, numbers around 0, shares from 0 to 1, ranks (1 the best), domains."""

Need: TypeAlias = Literal[
    "performances", "entity", "other", "score", "prior", "equal priors", "sample", "domains", "two", "rank", "last"
]
"""What a map is computed from; "sample" are counts, "two" at least two entities."""


@dataclass(frozen=True)
class Flavor:
    """A kind of map: ``title`` has the names in braces, ``may`` is what it can do without.

    Where ``rankscape.tile`` has no function of this name, another one has ``computed_by``; ``resolution`` and
    ``page_resolution`` are the points per side in Python and on the page.
    """

    id: str
    group: str
    label: str
    title: str
    summary: str
    scale: Scale
    needs: tuple[Need, ...] = ("performances",)
    may: tuple[Need, ...] = ()
    computed_by: str = ""
    resolution: int = 201
    page_resolution: int | None = 101

    @property
    def function(self) -> str:
        """The function of ``rankscape`` that computes the map."""
        return self.computed_by or f"tile.{self.id}"


WHO, GOOD, COMPARE, SURE, SCORE, DOMAIN = (
    "Who?", "How good?", "Compare", "How sure?", "Which score?", "Which domain?",
)  # fmt: skip
ONE: tuple[Need, ...] = ("performances", "entity")
_ROLES = {
    "easiest": ("easiest one", "the domain where one entity has its largest value"),
    "hardest": ("hardest one", "the domain where one entity has its smallest value"),
    "preponderant": ("preponderant one", "the domain that weighs most in the value of one entity"),
    "bottleneck": ("bottleneck", "the domain that costs one entity most"),
}

FLAVORS: dict[str, Flavor] = {
    flavor.id: flavor
    for flavor in (
        Flavor("entity", WHO, "Who is first", "Who is first, for every preference",
            "who comes first (--rank R: the R-th)", "regions", may=("rank", "last")),
        Flavor("entity_at_rank", WHO, "Who is at rank …", "Who is at rank {rank}, for every preference", "who is R-th",
            "regions", computed_by="tile.entity", page_resolution=81),
        Flavor("entity_last", WHO, "Who is last", "Who is last, for every preference", "who is last", "regions",
            computed_by="tile.entity", page_resolution=81),
        Flavor("value", GOOD, "Value of the selected", "How good {name} is, for every preference",
            "the value of one entity", "sequential", ONE),
        Flavor("ranking", GOOD, "Rank of the selected", "The rank of {name}, for every preference",
            "the rank of one entity", "rank", ONE),
        Flavor("best", GOOD, "Best value", "The best value that any method reaches", "the largest value of all",
            "sequential"),
        Flavor("worst", GOOD, "Worst value", "The worst value among the methods", "the smallest value of all",
            "sequential"),
        Flavor("no_skill", GOOD, "Value without skill", "The best value without any skill",
            "the value of the better constant answer", "sequential", ("prior",), may=("performances",)),
        Flavor("skill", GOOD, "Skill of the selected", "How much better than no skill {name} is",
            "how much better than that an entity, or the best one, is", "signed", ("performances", "equal priors"),
            may=("entity",)),
        Flavor("difference", COMPARE, "Selected minus pinned", "{name} minus {other}, for every preference",
            "the value of one entity minus that of another", "signed", (*ONE, "other")),
        Flavor("margin", COMPARE, "Lead of the first", "By how much the first is ahead of the second",
            "by how much the first leads the second", "sequential", ("performances", "two")),
        Flavor("regret", COMPARE, "Regret of the selected", "What you lose with {name}",
            "what you lose if you choose one entity", "sequential", ONE),
        Flavor("most_probable", SURE, "Who is most probably first", "Who is most probably first",
            "who is most probably first", "share", ("performances", "sample"), computed_by="uncertainty.first_tile",
            page_resolution=None),
        Flavor("p_first", SURE, "P(first) of the selected", "How probably {name} is first",
            "how probably one entity is first", "share", (*ONE, "sample"), computed_by="uncertainty.FirstTile.of",
            page_resolution=41),
        Flavor("correlation", SCORE, "How alike a score ranks", "How alike {score} and every ranking score order",
            "how alike a score and every preference rank", "signed", ("performances", "score", "two"), resolution=101,
            page_resolution=41),
        Flavor("no_skill_prior", SCORE, "Prior at which no skill ties",
            "At which prior all answers without skill are equal", "the share of positives at which no skill ties",
            "share", ()),
        *(
            Flavor(
                role, DOMAIN, f"{role.capitalize()} domain", f"Which domain is the {called} for {{name}}", summary,
                "domain", (*ONE, "domains"), computed_by="domains.roles_tile", page_resolution=81,
            )
            for role, (called, summary) in _ROLES.items()
        ),
    )
}  # fmt: skip
"""Every flavor by its id, in the order of the explorer's menu."""


def titled(flavor: str, **names: object) -> str:
    """Return the title of a map of a flavor, with the names that it has in braces.

    >>> titled("regret", name="unet")
    'What you lose with unet'
    """
    return FLAVORS[flavor].title.format(**names)


PAGE = tuple(flavor for flavor in FLAVORS.values() if flavor.page_resolution is not None)
"""What the explorer can show."""


def as_data() -> list[dict[str, Any]]:
    """Return what the page needs of the table. There an entity that may be given always is: the selected one.

    >>> next(flavor for flavor in as_data() if flavor["id"] == "skill")["needs"]
    ['equal priors', 'entity']
    """
    there = {"performances", "score", "rank", "last"}  # always, on the page
    return [
        {key: getattr(flavor, key) for key in ("id", "group", "label", "title", "scale")}
        | {"needs": [need for need in (*flavor.needs, *flavor.may) if need not in there]}
        | {"size": flavor.page_resolution}
        for flavor in PAGE
    ]
