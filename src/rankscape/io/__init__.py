"""The way in: how a file, a data frame or what is in memory becomes Performances or Cases.

**Tables of counts, and files of other tools**, by ``read`` (``reading.py``):

1. ``sources_of`` (``sheets.py``) finds the files that a name, a pattern or a folder stands for. A ``Source`` unpacks
   its bytes and knows their encoding; ``format_of`` recognizes what they hold: one row of ``FORMATS``.
2. A ``Content`` (``content.py``) makes what a reader asks for: the headers, a value of JSON, the first lines, or the
   table, a ``Sheet`` of headers and cells.
3. The first ``Reader`` of the folder ``readers`` that recognizes the content reads it; ``read_counts`` (``counts.py``)
   reads all others. What a column means is asked in ``headers.py``, what a number is in ``cells.py``: ``columns_in``
   says where the outcomes are, ``naming_column`` what names the rows, ``numbers`` what their cells hold.
4. ``counts.py`` compares the columns beside the counts with them, and leaves out rows that sum up others. What no
   reader understands ``diagnosed`` (``diagnoses.py``) calls by what it looks like.

**Rows of cases**, by ``cases_of`` (``cases.py``, beside this folder):

1. ``table_of`` (``counting.py``) reads the columns that are asked for into ``CodedCases`` (``codes.py``): of each
   column the distinct values, and a code per row. Engines group their rows themselves.
2. ``rows_of`` says of each row which model, domain, case, cluster and repeat it is of, as ``Rows``.
3. ``tallied`` makes outcomes of labels (``coding_of``) and counts them; ``right_or_wrong`` makes them of answers and
   grades. Missing answers are settled before (``settled``).
4. ``performances_of`` gives the performances, which know the cases that their models share.

Each way ends with an account of what was read, and refuses what can be read in two ways.
"""

from ..gathered import gather

__all__ = gather(__name__)
