"""Check the built pages: every link inside leads somewhere, and no page loads anything from the network.

Run ``python docs/check_links.py build/docs``.
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src"), ("source", "src")}
NOT_LOADED = {"canonical", "next", "prev", "index", "search"}


class Page(HTMLParser):
    """The links of a page, and the places that can be linked to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[tuple[str, bool]] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Note links, what is loaded, and identifiers."""
        found = dict(attributes)
        self.places |= {value for key in ("id", "name") if (value := found.get(key))}
        for key in ("href", "src"):
            if value := found.get(key):
                self.links.append((value, (tag, key) in LOADED and found.get("rel") not in NOT_LOADED))


def _pages(folder: Path) -> list[Path]:
    """Return the pages; the theme's own files are none."""
    return [path for path in sorted(folder.rglob("*.html")) if "_static" not in path.parts]


def findings(folder: Path) -> list[str]:
    """Return what is wrong in a folder of pages, one sentence each."""
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in _pages(folder)}
    if not pages:
        return [f"{folder} has no pages"]
    found = []
    for path, page in pages.items():
        here = path.relative_to(folder)
        for link, loaded in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if loaded and parts.scheme != "data":
                    found.append(f"{here} loads {link} from the network")
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            place = unquote(parts.fragment)
            if not target.exists():
                found.append(f"{here} links to {link}, which is not there")
            elif place and target in pages and place not in pages[target].places:
                found.append(f"{here} links to {link}, a page without that place")
    return sorted(set(found))


def main() -> int:
    """Print the findings; 1 if there are any."""
    folder = Path(sys.argv[1]).resolve()
    found = findings(folder)
    sys.stdout.write("".join(f"{line}\n" for line in found))
    sys.stdout.write(f"{len(_pages(folder))} pages, {len(found)} findings\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
