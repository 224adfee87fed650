"""The three paths of the explorer's main control, under node, against what Python ranks: costs, F-scores, a held a."""

import json
import math
import subprocess
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from test_explorer_model import CASES, NODE, drawn, needs_node

import rankscape as rs
from rankscape.explorer import build, document

DRIVER = """
const input = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(input.map(({ data, states, typed, rates }) => {
  if (typed) return typed.map((text) => String(rateOf(text)));
  if (rates) return rates.map(rateText);
  const from = dataOf(data);
  const set = performances(from, defaultWeights(from));
  const regions = firstRegions(set);
  return states.map((state) => winnersAlong({ set, regions, state }).map(({ rows, low, high }) =>
    ({ rows: rows.map((i) => set.names[i]), low, high: high === Infinity ? null : high, text: rangeText(low, high) })));
})));
"""
CHOSEN = ("small counts", "huge counts", "tiny", "tied sides", "domains", "examples")
PATHS = {"costs": (0.5, 0.5), "f": (1, 0.5), "free": (0.3, 0.6)}


def under_node(*tasks: dict[str, Any]) -> list[Any]:
    done = subprocess.run(
        [NODE or "node", "-e", document.bundle("csv", "leads", "maps", "priors", "together") + DRIVER],
        input=json.dumps(tasks), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    answers: list[Any] = json.loads(done.stdout)
    return answers


def best(performances: rs.Performances, path: str, rate: Fraction) -> frozenset[str]:
    """Return who wins in Python where a miss is worth a rate."""
    if path == "costs":
        return rs.rank(performances, by=rs.costs(miss=rate, false_alarm=1)).best
    a = Fraction(1) if path == "f" else Fraction(3, 10)
    return rs.rank(performances, by=[1 - a, 1 / (1 + rate), rate / (1 + rate), a]).best


def sets() -> list[rs.Performances]:
    rng = np.random.default_rng(19)
    few = [rng.integers(0, 5, size=(int(rng.integers(1, 9)), 4)) for _ in range(12)]
    for counts in few:
        counts[counts.sum(axis=1) == 0] = 1
    between = [
        [[9, 1, 4, 6], [5, 5, 2, 8], [7, 3, 3, 7], [14, 6, 6, 14]]
    ]  # the third is halfway: first on the border only
    along = [[[6, 2, 1, 3], [6, 1, 2, 3], [12, 3, 3, 6]]]  # they tie where both errors cost the same, the third as well
    n = 10**12  # too close for floats: by costs the first wins, then the second, then the first for good
    close = [[[n + 4, 2 * n + 6, n, 2 * n + 1], [n, 2 * n, n, 2 * n]]]
    one = [rs.Performances.from_counts(counts) for counts in [*few, *between, *along, *close]]
    return [*one, *(drawn(4 + 6 * k, 20 + 40 * k, k, 0.3) for k in range(4)), *(CASES[name] for name in CHOSEN)]


@needs_node
def test_who_wins_along_each_path_is_who_wins_in_python() -> None:
    rng = np.random.default_rng(3)
    given = sets()
    tasks = [{"data": build.payload(one), "states": [{"a": a, "b": b} for a, b in PATHS.values()]} for one in given]
    many = {len(given) - 1, len(given) - 2, 0, 12}
    ends = 0
    for t, (one, paths) in enumerate(zip(given, under_node(*tasks), strict=True)):
        performances = rs.summarize(one)
        for path, parts in zip(PATHS, paths, strict=True):
            if not parts:
                assert not best(performances, path, Fraction(1))
                continue
            assert (parts[0]["low"], parts[-1]["high"]) == (0, None)
            assert all(part["high"] == other["low"] for part, other in pairwise(parts))
            inner = [part["low"] for part in parts[1:]]
            near = [float(end * (1 + side)) for end in inner for side in (-1e-6, 1e-6)]
            rates = [*(10 ** rng.uniform(-2, 2, 200 if t in many and path == "costs" else 3)).tolist(), 1.0, 2.5, *near]
            for rate in rates:
                if any(math.isclose(rate, end, rel_tol=1e-9) for end in inner):
                    continue
                (part,) = [x for x in parts if x["low"] < rate < (math.inf if x["high"] is None else x["high"])]
                assert best(performances, path, Fraction(rate)) == set(part["rows"]), (path, rate, parts)
            for part, other in pairwise(parts):
                low, at = part["low"], Fraction(part["high"]).limit_denominator(10**6)
                assert best(performances, path, Fraction(part["high"]) * (1 - Fraction(1, 10**7))) != set(other["rows"])
                if float(at) == part["high"] and at.denominator < 10**4 and at > low:
                    assert set(part["rows"]) | set(other["rows"]) <= best(performances, path, at)  # they tie
                    ends += 1
    assert ends > 20


@needs_node
def test_the_ends_of_three_are_those_of_python() -> None:
    three = rs.read(Path(__file__).parents[2] / "examples" / "three.csv")
    ((costs, f, _),) = under_node(
        {"data": build.payload(three), "states": [{"a": x, "b": y} for x, y in PATHS.values()]}
    )
    assert [part["text"] for part in costs] == ["below 1.53", "1.54 to 5.62", "above 5.63"]
    assert [part["text"] for part in f] == ["below 0.669", "0.67 to 3.77", "above 3.78"]
    assert (costs[0]["high"], costs[1]["high"]) == (20 / 13, 45 / 8)


@needs_node
def test_rates_are_typed_as_they_are_printed() -> None:
    rates = {
        "1/3": 1 / 3,
        "2.5": 2.5,
        "1e2": 100,
        " 1 / 4 ": 0.25,
        "2,5": 2.5,
        "⅓": 1 / 3,
        ".5": 0.5,
        "∞": math.inf,
        "0": 0,
    }
    refused = ["abc", "1/0", "0/0", "-1", "", "1/", "1,000", "1/2/3", "1e999", "1 false", "NaN"]
    found, written = under_node({"typed": [*rates, *refused]}, {"rates": [1 / 3, 0.1, 5.625, 45, 0.342, 2.379, 1]})
    assert [float(x) for x in found[: len(rates)]] == list(rates.values())
    assert set(found[len(rates) :]) == {"null"}
    assert written == ["1/3", "1/10", "5.63", "45", "0.34", "2.38", "1"]
