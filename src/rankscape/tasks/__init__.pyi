"""The names of this package, which ``__init__.py`` imports when they are asked for; type checkers read them here."""

from . import clustering as clustering
from . import detection as detection
from . import multi_class as multi_class
from . import ranking as ranking
from . import regression as regression
from . import retrieval as retrieval
from . import segmentation as segmentation
from . import success as success
from . import two_class as two_class
