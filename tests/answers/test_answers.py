"""Each file of the corpus gets the answer that it must get; what is not so yet is marked, and the mark must go when it is."""

import pytest
from answers.answers import CASES, HERE, Answer, account_faults, account_short, answer, falls_short, faults

ANSWERS: dict[str, Answer] = {}


def judged(name: str, short: list[str], mark: str) -> None:
    """Fail where an answer falls short, or where it does not though a mark says so."""
    step = CASES[name].get(mark)
    if step and not short:
        pytest.fail(f"{name} holds: take away its mark, {mark} = {step}, in tests/answers/answers.toml")
    if step:
        pytest.xfail(f"wanted, step {step}: {'; '.join(short)}")
    assert not short, f"{CASES[name]['ask']}: {'; '.join(short)}"


@pytest.mark.parametrize("name", CASES)
def test_the_answer_is_right(name: str) -> None:
    ANSWERS[name] = answer(name)
    judged(name, falls_short(name, ANSWERS[name]), "wanted")


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if "account" in case])
def test_the_account_is_right(name: str) -> None:
    said = ANSWERS.get(name) or answer(name)
    assert said.status == 0
    judged(name, account_short(name, said), "account_wanted")


def test_every_file_is_asked_about() -> None:
    folders = {path.name for path in (HERE / "files").iterdir()}
    assert folders <= set(CASES)
    assert set(CASES) - folders == {"file-absent"}
    assert len(CASES) >= 100
    known = {"values", "tol", "only", "first", "order", "within", "refused", "said", "unsaid"}
    for name, case in CASES.items():
        assert set(case) <= {"kind", "ask", "right", "account", "wanted", "account_wanted"}, name
        assert case["right"], name
        assert all(set(right) <= known for right in case["right"]), name


ROWS = [{"entity": "a", "value": 0.8, "rank": 1, "p_first": 0.9}, {"entity": "b & big", "value": 0.7, "rank": 2}]
ANSWERED = Answer(0, "First: a;\nthe right-\nside column c not used", ROWS, {"cases": 9, "columns": {"entity": ["m"]}})
REFUSED = Answer(3, "Error: name the column with --truth", [], None)


@pytest.mark.parametrize(
    ("right", "said"),
    [
        ({"values": {"a": 0.81}}, ANSWERED),
        ({"values": {"c": 0.8}}, ANSWERED),
        ({"values": {"a": 0.8}, "only": True}, ANSWERED),
        ({"values": {"*": 0.8}}, ANSWERED),
        ({"first": "b & big"}, ANSWERED),
        ({"order": ["b & big", "a"]}, ANSWERED),
        ({"within": {"a": {"p_first": [0.95, 1]}}}, ANSWERED),
        ({"within": {"b & big": {"p_first": [0, 1]}}}, ANSWERED),
        ({"said": ["second"]}, ANSWERED),
        ({"unsaid": ["column c"]}, ANSWERED),
        ({"refused": []}, ANSWERED),
        ({"refused": ["--score"]}, REFUSED),
        ({"refused": [], "unsaid": ["--truth"]}, REFUSED),
        ({"refused": []}, Answer(2, "Error: No such option '--truht'", [], None)),
        ({"refused": []}, Answer(70, "KeyError: 'a'", [], None)),
        ({"values": {}}, REFUSED),
    ],
)
def test_what_falls_short_is_seen(right: dict[str, object], said: Answer) -> None:
    assert list(faults(right, said))


def test_what_holds_is_seen() -> None:
    right = {
        "values": {"a": 0.8, "b & big": 0.7003},
        "only": True,
        "order": ["a", "b & big"],
        "said": ["x | column c", "right-side"],
    }
    assert not list(faults(right, ANSWERED))
    assert not list(faults({"refused": ["--score | --truth"]}, REFUSED))
    assert not list(account_faults({"columns": {"entity": ["m"]}}, ANSWERED.account))
    assert list(account_faults({"cases": 8}, ANSWERED.account))
    assert list(account_faults({"columns": {"truth": ["y"]}}, ANSWERED.account))
