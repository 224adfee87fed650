"""Printed accuracies with the number of cases, one row per model."""

from ...errors import DataError
from ...performances import Performances
from ...tasks import success
from .. import headers
from ..cells import missing, whole_number
from ..content import JSON, NAMED, Content, How, Reader
from ..counts import accounted, names_in


def recognise(content: Content) -> bool:
    """Tell whether a content is a table whose only rate is an accuracy, with one column of the number of cases."""
    roles = {headers.role(header) for header in content.headers}
    if headers.of_task(content.headers) is not None or roles - {None, "entity", "domain"}:
        return False
    rates, sizes = (list(filter(None, map(of, content.headers))) for of in (headers.rate_of, headers.size_of))
    return rates == ["accuracy"] and sizes.count("n") == 1


def read(content: Content, how: How) -> Performances:
    """Return the performances behind printed accuracies."""
    sheet = content.sheet
    if not sheet.rows:
        raise sheet.error("there is no row", expected="one per model below the header")
    columns = headers.columns_of(sheet, how.entity, how.domain[0] if how.domain else None, {})
    columns["rate"] = next(i for i, header in enumerate(sheet.headers) if headers.rate_of(header))
    columns["n"] = next(i for i, header in enumerate(sheet.headers) if headers.size_of(header) == "n")
    rates, sizes = sheet.column(columns["rate"]), list[int]()
    for i, row in enumerate(sheet.rows):
        rate, n = (row[columns[name]] for name in ("rate", "n"))
        for cell, name in ((rate, "rate"), (n, "n")):
            if missing(cell) or not str(cell).strip():
                what = f"{sheet.headers[columns[name]] or name} is missing"
                raise DataError(what, where=sheet.place(i), way_out="fill it in")
        size = whole_number(n)
        if size is None:
            what = f"n = {n} is no number of cases"
            raise DataError(what, where=sheet.place(i), expected="a whole number")
        sizes.append(size)
    names = (
        names_in(sheet, columns["entity"], "entity") if "entity" in columns else how.name and [how.name] * len(rates)
    )
    domains = names_in(sheet, columns["domain"], "domain") if "domain" in columns else None
    try:
        percent = headers.in_percent(sheet.headers[columns["rate"]])
        P = success.from_rates(rates, sizes, names, domains, percent=percent)
    except DataError as error:
        raise error.located(sheet.where, sheet.line(error.where.row)) from None
    return accounted(P, sheet.headers, columns, how)


READER = Reader(
    name="accuracies", files="printed accuracies, with the number of cases", columns="entity, domain?, accuracy, n",
    lacks="no accuracy as its only rate, beside one number of cases", recognise=recognise, read=read,
    holds=("table", *JSON), named=NAMED, turn=2,
)  # fmt: skip
