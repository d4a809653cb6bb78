"""Settings of Sphinx for `make docs`: sources in docs/, the site in build/site, nothing loaded."""

import os
import re
import sys
import warnings
from importlib.metadata import version as installed_version
from pathlib import Path

from sphinx.application import Sphinx

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE))
warnings.filterwarnings("ignore", category=DeprecationWarning, module="myst_nb|sphinx|jupyter")

os.environ |= {  # of the commands in tutorials: plain text, as wide as a page
    "COLUMNS": "92",
    "NO_COLOR": "1",
    "TERM": "dumb",
    "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}",
}

project = "logca"
author = "the logca authors"
copyright = "the logca authors, BSD-3-Clause"
release = version = installed_version("logca")

extensions = [
    "myst_nb",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
    "sphinx_design",
    "commands",
    "drawn",
    "handbook",
]
exclude_patterns = ["**.ipynb_checkpoints"]
root_doc = "index"
language = "en"
smartquotes = False  # "--units" stays as it is typed
default_role = "code"
highlight_language = "none"
nitpicky = False

myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist"]
myst_heading_anchors = 4
myst_links_external_new_tab = False

nb_execution_mode = "force"
nb_execution_in_temp = True
nb_execution_raise_on_error = True
nb_execution_timeout = 180
nb_execution_show_tb = True
nb_merge_streams = True

autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_preserve_defaults = True
autodoc_default_options = {"members": True}
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

copybutton_prompt_text = r"^\$ "
copybutton_prompt_is_regexp = True
copybutton_line_continuation_character = "\\"
copybutton_exclude = ".linenos, .gp, .go"

html_theme = "furo"
html_title = "logca"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_favicon = "static/mark.svg"
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
html_theme_options = {
    "light_logo": "mark.svg",
    "dark_logo": "mark.svg",
    "navigation_with_keys": True,
    "light_css_variables": {
        "color-brand-primary": "#005a8d",
        "color-brand-content": "#005a8d",
        "color-brand-visited": "#005a8d",
    },
    "dark_css_variables": {
        "color-brand-primary": "#7cc4f0",
        "color-brand-content": "#7cc4f0",
        "color-brand-visited": "#7cc4f0",
    },
}
pygments_style = "friendly"
pygments_dark_style = "github-dark"
suppress_warnings = ["config.cache", "misc.highlighting_failure"]  # the latter: cells of C

LINKS = {
    "../README.md": "index.md",
    "../examples/polybench/README.md": "examples/polybench.md",
    "../examples/rodinia/README.md": "examples/rodinia.md",
    "../examples/partition/README.md": "examples/partition.md",
    "../benchmarks/partition/solvers.md": "results/solvers.md",
    "../benchmarks/partition/coupled.md": "results/coupled.md",
}
"""Files beside docs/ that pages link to, and the pages that show them."""

_LINK = re.compile(r"\]\((\.\./[^)#\s]+)")


def _link_pages(text: str) -> str:
    return _LINK.sub(lambda found: f"]({LINKS.get(found[1], found[1])}", text)


def _read(app: Sphinx, name: str, source: list[str]) -> None:
    """Begin pages that a program writes with their introduction; link pages, not files."""
    from introductions import INTRODUCTIONS

    source[0] = INTRODUCTIONS.get(name, "") + (
        _link_pages(source[0]) if "/" not in name else source[0]
    )


def setup(app: Sphinx) -> None:
    """Connect what is above."""
    app.connect("source-read", _read)
