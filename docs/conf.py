"""How the documentation is built: `make docs`. No network is needed."""

import re
import sys
import warnings
from pathlib import Path
from typing import Any

import matplotlib as mpl
from docutils import nodes

import rankscape

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from generators import catalogue, commands, schemas  # noqa: E402  # they are beside this file

mpl.use("Agg")

project = "rankscape"
author = "The rankscape developers"
copyright = "The rankscape developers, Apache-2.0"
version = release = rankscape.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "sphinx_copybutton",
    "sphinx_gallery.gen_gallery",
    "docstrings",  # beside this file
    "equations",  # beside this file
    "pictures",  # beside this file
]
html_math_renderer = "mathml"
exclude_patterns = ["_build", "_templates"]
templates_path = ["_templates"]
nitpicky = True
nitpick_ignore_regex = [  # what docstrings name in passing; pages link functions, in full
    (r"py:(class|obj)", ".*"),
    (r"py:(func|meth|attr)", r"(?!rankscape\.).*"),
]
default_role = None
highlight_language = "none"
smartquotes_action = "qe"  # quotes and ellipses; options of commands keep their two dashes
suppress_warnings = ["config.cache"]  # the gallery's configuration holds functions

# ---- reference

autosummary_generate = True
autosummary_imported_members = True
autosummary_ignore_module_all = False
autodoc_typehints = "none"  # docstrings say what goes in, in words
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

# ---- gallery


def _quiet(_conf: Any, _script: str) -> None:
    """Use the defaults of matplotlib, save all of a figure, and turn warnings into errors, as in the tests."""
    mpl.rcdefaults()
    mpl.rcParams["savefig.bbox"] = "tight"
    mpl.use("Agg")
    warnings.simplefilter("error")


sphinx_gallery_conf = {
    "examples_dirs": ["../examples/gallery"],
    "gallery_dirs": ["gallery"],
    "filename_pattern": r"plot_",
    "within_subsection_order": "FileNameSortKey",
    "abort_on_example_error": True,
    "download_all_examples": False,
    "show_memory": False,
    "write_computation_times": False,
    "remove_config_comments": True,
    "plot_gallery": True,
    "reset_modules": (_quiet,),
    "copyfile_regex": r"",
    "capture_repr": ("_repr_html_", "__repr__"),
    "matplotlib_animations": False,
    "image_srcset": ["2x"],
}

# ---- pictures in pages

plot_formats = [("png", 160)]
plot_html_show_formats = plot_html_show_source_link = False
plot_rcparams = {"savefig.bbox": "tight"}

# ---- pages

html_theme = "pydata_sphinx_theme"
html_title = "rankscape"
html_static_path = ["_static"]
html_favicon = "_static/favicon.svg"
html_css_files = ["rankscape.css"]
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "navbar_persistent": ["search-button"],
    "navbar_end": ["theme-switcher"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "header_links_before_dropdown": 8,
    "secondary_sidebar_items": {"**": [], "papers/index": ["page-toc"], "which-tool": ["page-toc"]},  # room for output
    "use_edit_page_button": False,
}
html_sidebars = {"index": [], "papers/index": [], "scale": [], "limits": [], "glossary": [], "which-tool": []}
html_sidebars |= {"tour": [], "comparison": [], "deprecations": []}
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_line_continuation_character = "\\"


def _unbroken(_app: Any, doctree: nodes.document) -> None:
    """Keep a number and its percent sign on one line of prose."""
    for text in list(doctree.findall(nodes.Text)):
        if not isinstance(text.parent, (nodes.FixedTextElement, nodes.literal)):
            text.parent.replace(text, nodes.Text(re.sub(r"(?<=\d) (?=%)", "\N{NO-BREAK SPACE}", text)))


def _generate(_app: Any) -> None:
    """Write the pages of the commands, the scores and the documents from what the program has."""
    reference = HERE / "reference"
    commands.write(reference / "commands")
    catalogue.write(reference / "scores.rst")
    schemas.write(reference / "schemas.rst")


def setup(app: Any) -> None:
    """Write the generated pages."""
    app.connect("builder-inited", _generate, priority=100)
    app.connect("doctree-read", _unbroken)
