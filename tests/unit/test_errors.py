"""Errors are data: fields that each face words, on one line, which survive copying and pickling."""

import copy
import pickle

import pytest

import rankscape as rs
from rankscape import errors
from rankscape.errors import DataError, MissingExtraError, Option, Place, in_prose

GAPS = DataError(
    "2 cells are missing",
    where=Place(row=6, line=8, name="u\nnet"),
    expected="none",
    way_out=[
        "drop them",
        ["choose ", Option("missing", "complete"), " (what all have)"],
        Option("a_b", 1, option="ab"),
    ],
)
CLASSES = [c for c in vars(errors).values() if isinstance(c, type) and issubclass(c, errors.RankscapeError)]


def test_each_face_words_the_same_error():
    start = 'row 7 (line 8, "u\\nnet"): 2 cells are missing; expected none: drop them'
    assert str(GAPS) == f'{start}, choose missing="complete" (what all have), or a_b=1'
    assert (
        GAPS.worded(lambda option: option.in_shell) == f"{start}, choose --missing complete (what all have), or --ab 1"
    )
    assert GAPS.worded(in_prose) == start
    assert GAPS.worded(lambda o: o.in_shell if o.name == "a_b" else None) == f"{start}, or --ab 1"


def test_what_is_wrong_is_never_left_out():
    error = DataError([Option("by_case", "x"), " is no number"], got=Option("level"))
    assert str(error) == 'by_case="x" is no number; got level='
    assert error.worded(in_prose) == "by case 'x' is no number; got level"


@pytest.mark.parametrize("kind", CLASSES)
@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda error: pickle.loads(pickle.dumps(error))])
def test_errors_survive_copying(kind, copied):
    error = kind([Option("by", "f1"), " is odd"], where=Place("r.csv", row=1), expected="x", got="y", way_out=["z"])
    again = copied(error)
    assert (type(again), str(again), vars(again)) == (kind, str(error), vars(error))
    assert again.worded(lambda option: option.in_shell) == "r.csv: row 2: --by f1 is odd; expected x; got y: z"


@pytest.mark.parametrize("text", ["a\nb", "a\r\nb", "a\u2028b", "a\x0bb", "a\x85b"])
@pytest.mark.parametrize("kind", CLASSES)
def test_errors_are_one_line_whatever_they_hold(kind, text):
    error = kind(text, where=text, expected=text, got=[text, Option("x", text)], way_out=[text, Option("y", text)])
    assert len(str(error).splitlines()) == 1


def test_located_errors_keep_their_fields():
    error = GAPS.located("r.csv", 3)
    assert (error.where.file, error.where.line, error.ways_out) == ("r.csv", 8, GAPS.ways_out)
    assert str(error).startswith('r.csv: row 7 (line 8, "u\\nnet")')
    assert error.located("other.csv").where.file == "r.csv"
    assert isinstance(MissingExtraError("x").located("f"), ImportError)


def test_rows_are_fields():
    with pytest.raises(rs.DataError, match="fp = -3 is negative") as caught:
        rs.Performances.from_counts([[1, 2, 3, 4], [1, -3, 2, 2]], names=["a", "unet"])
    assert (caught.value.where.row, caught.value.where.name) == (1, "unet")
