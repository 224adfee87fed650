"""How results look: one color per entity, blue where what is selected is better, and plain data for the page."""

import json

from rankscape import look


def test_an_entity_keeps_its_color_whatever_comes_after_it() -> None:
    names = [f"e{i}" for i in range(20)]
    colors, rounds = look.colors_of(names), look.rounds_of(names)
    assert look.colors_of(names[:5]) == {name: colors[name] for name in names[:5]}
    assert len({(colors[name], rounds[name]) for name in names}) == len(names)
    assert look.colors_of(["a", "b", "a"]) == look.colors_of(["a", "b"])


def test_blue_is_the_better_end_of_a_signed_map() -> None:
    red, _, blue = (int(look.PALETTES["signed"][-1][k : k + 2], 16) for k in (1, 3, 5))
    assert blue > red
    red, _, blue = (int(look.PALETTES["signed"][0][k : k + 2], 16) for k in (1, 3, 5))
    assert red > blue


def test_the_page_can_take_the_look_over() -> None:
    assert json.loads(json.dumps(look.as_data()))["hues"] == list(look.HUES)
