"""The table of flavors is the one list: functions, titles, scales and resolutions are as it says."""

import inspect
import re
from functools import reduce
from pathlib import Path

import pytest

import rankscape as rs
from rankscape.flavors import FLAVORS, Flavor

P = rs.Performances.from_counts([[50, 10, 5, 35], [45, 15, 2, 38], [48, 12, 3, 37]], names=["a", "b", "c"])
Q = rs.Performances.from_counts([[50, 10, 5, 35], [45, 15, 2, 38]], names=["a", "a"], domains=["x", "y"])
MAPS = {
    "entity": lambda: rs.tile.entity(P, resolution=3),
    "value": lambda: rs.tile.value(P, "a", 3),
    "ranking": lambda: rs.tile.ranking(P, "a", 3),
    "best": lambda: rs.tile.best(P, 3),
    "worst": lambda: rs.tile.worst(P, 3),
    "no_skill": lambda: rs.tile.no_skill(0.4, 3),
    "skill": lambda: rs.tile.skill(P, "a", 3),
    "difference": lambda: rs.tile.difference(P, "a", "b", 3),
    "margin": lambda: rs.tile.margin(P, 3),
    "regret": lambda: rs.tile.regret(P, "a", 3),
    "most_probable": lambda: rs.uncertainty.first_tile(P, draws=20, rng=0, resolution=3),
    "p_first": lambda: rs.uncertainty.first_tile(P, draws=20, rng=0, resolution=3).of("a"),
    "correlation": lambda: rs.tile.correlation("mcc", P, resolution=3),
    "no_skill_prior": lambda: rs.tile.no_skill_prior(3),
    **{role: lambda role=role: rs.domains.roles_tile(Q, role=role, resolution=3) for role in list(FLAVORS)[-4:]},
}


@pytest.mark.parametrize("name", MAPS)
def test_a_map_has_the_id_and_the_title_of_its_flavor(name: str) -> None:
    tile_map = MAPS[name]()
    assert tile_map.flavor == name
    given = tile_map.parameters | {"score": "MCC"}
    assert tile_map.title == FLAVORS[name].title.format(**given)


@pytest.mark.parametrize("flavor", FLAVORS.values(), ids=lambda flavor: flavor.id)
def test_a_flavor_names_the_function_that_computes_it_and_its_resolution(flavor: Flavor) -> None:
    function = reduce(getattr, flavor.function.split("."), rs)
    parameters = inspect.signature(function).parameters
    if "resolution" in parameters:
        assert parameters["resolution"].default == flavor.resolution


def test_the_page_of_the_documentation_lists_every_flavor() -> None:
    text = (Path(__file__).parents[2] / "docs" / "reference" / "2-maps.rst").read_text("utf-8")
    rows = re.findall(r"^   \* - ``(\w+)``\n     - (.*)\n     - (.*)$", text, re.MULTILINE)
    assert rows == [(flavor.id, flavor.summary.replace("--", r"\-\-"), flavor.scale) for flavor in FLAVORS.values()]
