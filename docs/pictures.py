"""Two directives of the pages: a picture that is drawn when the page is built, and the explorer of a table."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from matplotlib.sphinxext.plot_directive import PlotDirective
from page_files import lay_out
from sphinx.util.docutils import SphinxDirective

import rankscape


class Picture(PlotDirective):
    """Run the lines below, beside the files of the page, and show what they draw: ``.. picture::``.

    The lines are doctests, so the tests run them, too. A picture has a caption and alternative text.
    """

    def run(self) -> list[nodes.Node]:
        """Return the figure."""
        for key in ("alt", "caption"):
            if key not in self.options:
                raise self.error(f"a picture needs :{key}:")
            self.options[key] = " ".join(self.options[key].split())
        settings = self.state.document.settings
        with TemporaryDirectory() as folder:
            lay_out(Path(settings.env.doc2path(settings.env.docname)), Path(folder))
            settings.env.config.plot_working_directory = folder
            return super().run()


class Explorer(SphinxDirective):
    """Show the explorer of a file of the page, as a page within the page: ``.. explorer:: three.csv``."""

    folder: ClassVar[Path]
    """Where the built pages are."""
    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {"title": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        """Write the explorer beside the page, and return its frame and a link to it."""
        name = f"explore-{Path(self.arguments[0]).stem}.html"
        title = self.options["title"]
        target = (self.folder / self.env.docname).with_name(name)
        target.parent.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory() as folder:
            lay_out(Path(self.env.doc2path(self.env.docname)), Path(folder))
            data = rankscape.read(Path(folder, self.arguments[0]))
        rankscape.explore(data, target, by="f1", title=title)
        frame = f'<iframe class="explorer" src="{name}" title="{title}" loading="lazy"></iframe>'
        link = f'<p class="explorer"><a href="{name}">Open the explorer on a page of its own</a></p>'
        return [nodes.raw("", frame + link, format="html")]


def setup(app: Any) -> dict[str, bool]:
    """Add the directives."""
    app.setup_extension("matplotlib.sphinxext.plot_directive")
    Explorer.folder = Path(app.outdir)
    app.add_directive("picture", Picture)
    app.add_directive("explorer", Explorer)
    return {"parallel_read_safe": False}
