"""The website of the course: ``python -m tools.site [--out DIR]``.

``lessons`` reads what the site says about the lessons out of the notebooks themselves, ``stage``
writes the pages for Sphinx, ``docstrings`` makes the library's docstrings fit for it, ``links``
looks at what came out. ``conf.py`` and ``static/`` are Sphinx's own.
"""
