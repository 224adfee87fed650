"""Small data sets that come with the package."""

from fractions import Fraction
from pathlib import Path

import numpy as np

from .errors import DataError, UsageError
from .io import read
from .performances import Performances

__all__ = ["classifiers", "example_file", "finley", "toy"]
__dir__ = __all__.copy  # dir() lists the public names


def finley() -> Performances:
    """Return Finley's tornado forecasts of 1884, and the forecast that there is never a tornado.

    2 803 forecasts, 51 tornadoes. Accuracy prefers never to warn, as Gilbert pointed out in the same year. (Finley
    1884; Gilbert 1884; Murphy 1996, "The Finley affair".)

    Returns
    -------
    Performances
        Two performances, counts of 2 803 cases each.

    See Also
    --------
    rankscape.datasets.toy
    rankscape.datasets.classifiers

    Examples
    --------
    >>> import rankscape as rs
    >>> (
    ...     sorted(rs.rank(rs.datasets.finley(), by="accuracy").best),
    ...     sorted(rs.rank(rs.datasets.finley(), by="f1").best),
    ... )
    (['never a tornado'], ['Finley'])
    """
    return Performances.from_counts([[2680, 72, 23, 28], [2752, 0, 51, 0]], names=["Finley", "never a tornado"])


def toy(prior: float | Fraction = 0.5) -> Performances:
    """Return the four performances of the Tile paper (its Figure 5), exactly, at any prior in (0, 1).

    P₋ always predicts the negative class, P₁ has TNR = TPR = 0.7, P₂ has TNR = 0.5 and TPR = 0.8, and P₊ always
    predicts the positive class. The paper shows the priors 0.2, 0.5 and 0.8.

    Parameters
    ----------
    prior
        The prior of the positive class, in (0, 1).

    Returns
    -------
    Performances
        P₋, P₁, P₂ and P₊, exact.

    Raises
    ------
    UsageError
        For a prior outside (0, 1).

    See Also
    --------
    rankscape.datasets.finley

    Examples
    --------
    >>> import rankscape as rs
    >>> rs.datasets.toy(0.2).mass.tolist()[1]
    [0.56, 0.24, 0.06, 0.14]
    """
    if not 0 < prior < 1:
        raise UsageError(f"the prior must lie inside (0, 1); got {prior}")
    rates = [(10, 0), (7, 7), (5, 8), (0, 10)]  # TNR and TPR, in tenths
    balanced = [[tnr, 10 - tnr, 10 - tpr, tpr] for tnr, tpr in rates]
    exact = Fraction(str(prior)) if isinstance(prior, float) else prior
    even = Performances.from_counts(balanced, names=["P₋", "P₁", "P₂", "P₊"])
    return even.shift_priors(np.array(exact, dtype=object))


def classifiers() -> Performances:
    """Return the counts of 14 scikit-learn classifiers on 14 two-class problems (breast cancer, digits, wine).

    Out-of-fold predictions under fixed seeds; ``examples/make_data.py`` in the repository makes them.

    Returns
    -------
    Performances
        196 rows: each classifier on each problem, which is a domain.

    See Also
    --------
    rankscape.datasets.finley
    rankscape.datasets.example_file

    Examples
    --------
    >>> import rankscape as rs
    >>> P = rs.datasets.classifiers()
    >>> len(set(P.names)), P.n_domains
    (14, 14)
    """
    return read(example_file("results.csv"))


def example_file(name: str) -> Path:
    """Return the path of a file of ``examples``: inside the installed package, or beside its source.

    Parameters
    ----------
    name
        The name of the file, such as "results.csv".

    Returns
    -------
    Path
        Where the file is.

    Raises
    ------
    DataError
        For a file that is not there.

    See Also
    --------
    rankscape.read
    rankscape.datasets.classifiers
    """
    package = Path(__file__).parent
    for folder in (package / "examples", package.parents[1] / "examples"):
        if (folder / name).is_file():
            return folder / name
    raise DataError(
        f"{name} is not in this installation: reinstall rankscape, or take it from examples/ in the repository"
    )
