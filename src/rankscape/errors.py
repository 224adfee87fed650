"""What rankscape says when it cannot answer: one clear sentence each, all of them ``ValueError``."""


class RankscapeError(ValueError):
    """Root of the errors raised on purpose by rankscape."""


class DataError(RankscapeError):
    """The data are not what they should be: names the place, the expectation, the value and the way out."""


class UsageError(RankscapeError):
    """An argument has a value that means nothing here."""


class MissingExtraError(UsageError, ImportError):
    """An optional package is not installed; the command that installs it is named."""


class UnknownScoreError(UsageError):
    """No score has this name and it is not an expression either; the nearest names are suggested."""


class UndefinedScoreError(RankscapeError):
    """A score was asked for outside its domain of definition with ``undefined="raise"``."""


class NoPlaceError(RankscapeError):
    """The ordering of a score has no place on the Tile, at least not with these priors."""
