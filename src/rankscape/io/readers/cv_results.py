"""Searches of scikit-learn: ``cv_results_``, saved as by ``pandas.DataFrame(search.cv_results_).to_csv``.

Each candidate is a model, and each split a domain: ``split0_test_tn``, ``split0_test_fp``, …, beside ``params``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ...errors import DataError
from ...performances import Performances
from ..content import JSON, Content, How, Reader

_OF_A_SPLIT = re.compile(r"split\d+_test_.+")


def recognise(content: Content) -> bool:
    """Tell whether a content has the columns of splits."""
    return any(map(_OF_A_SPLIT.fullmatch, content.headers))


def read(content: Content, how: How) -> Performances:
    """Return the performances of the candidates of a search."""
    results = content.value
    if not isinstance(results, Mapping):
        sheet = content.sheet
        if len(set(sheet.headers)) < len(sheet.headers):
            raise sheet.error("two columns have the same header", expected="the columns of cv_results_, each once")
        results = dict(zip(sheet.headers, zip(*sheet.rows, strict=True), strict=False))
    try:
        return Performances.from_cv_results(results)
    except DataError as error:
        raise error.located(content.where) from None


READER = Reader(
    name="cv-results", files="scikit-learn: the results of a search with scoring=rs.outcome_scorers()",
    columns="params, split0_test_tn, split0_test_fp, …", lacks="no split0_test_tn", recognise=recognise, read=read,
    holds=("table", *JSON),
)  # fmt: skip
