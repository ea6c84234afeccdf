"""Sphinx's settings for the website; ``python -m tools.site`` calls Sphinx with them."""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent))

from tools.site.docstrings import process, skip  # noqa: E402
from tools.slides import package  # noqa: E402

project = "Decision trees and ensemble learning"
html_title = "Trees and ensembles"
author = "the authors of the course"
copyright = "the authors of the course. Text and figures: CC BY 4.0. Code: BSD 3-Clause"
language = "en"
smartquotes = False
exclude_patterns = ["extra"]

extensions = ["myst_nb", "sphinx.ext.mathjax", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]

# Notebooks: stored outputs, as they are.
nb_execution_mode = "off"
nb_render_markdown_format = "myst"
nb_number_source_lines = False
myst_enable_extensions = ["dollarmath", "amsmath", "html_image"]
myst_dmath_double_inline = True
myst_heading_anchors = 4
myst_heading_slug_func = "tools.site.lessons.slug"

# Formulas: MathJax from the package that brings it, one file, no fonts to fetch. The full one: the
# other one would fetch \\boldsymbol and the like when a formula has them.
mathjax_path = "tex-svg-full.js"
mathjax3_config = {"options": {"enableMenu": False}}

# The library.
autodoc_typehints = "none"
autodoc_member_order = "bysource"
autodoc_default_options = {
    "members": True,
    "inherited-members": "BaseEstimator, ClassifierMixin, RegressorMixin",
}
add_module_names = False
toc_object_entries_show_parents = "hide"
nitpicky = True

html_theme = "pydata_sphinx_theme"
mathjax = package("sphinx-mathjax-offline", "sphinx-mathjax-offline") / "static" / "mathjax"
html_static_path = [str(HERE / "static"), str(mathjax / mathjax_path)]
html_css_files = ["course.css"]
html_js_files = ["course.js"]
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
alone = ["index", "glossary", "errata", "speed", "instructors", "contributing"]
html_sidebars = {page: [] for page in alone}  # they have no pages beside them to show
html_theme_options = {
    "logo": {"text": "Trees and ensembles"},
    "header_links_before_dropdown": 6,
    "navbar_end": ["theme-switcher"],
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "show_prev_next": True,
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "back_to_top_button": True,
}


def setup(app):
    """Make docstrings fit for Sphinx, and leave out what scikit-learn adds to estimators."""
    app.connect("autodoc-process-docstring", process)
    app.connect("autodoc-skip-member", skip)
