"""Docstrings as reStructuredText.

The docstrings of the library are written to be read in a terminal: plain paragraphs, indented
formulas, and sections with entries ``name : what it is``. Here indented text becomes a literal
block, a section a small heading, its entries a list of definitions.
"""

import re

UNDERLINE = re.compile(r"-{3,}$")
ENTRY = re.compile(r"(\S.*?) : (.*)")


def process(app, what, name, obj, options, lines):
    """Rewrite the lines of a docstring in place (the event autodoc-process-docstring)."""
    lines[:] = restructured(lines)


def skip(app, what, name, obj, skipped, options):
    """Leave out the methods for metadata routing that scikit-learn adds."""
    return True if re.fullmatch(r"set_\w+_request|get_metadata_routing", name) else None


def restructured(lines):
    r"""Return the lines of a docstring as reStructuredText.

    >>> lines = ["A sum.", "", "    a | b", "", "Parameters", "---", "x : errors_"]
    >>> print(*restructured(lines), sep="\n")
    A sum.
    <BLANKLINE>
    .. code-block:: text
    <BLANKLINE>
        a | b
    <BLANKLINE>
    .. rubric:: Parameters
    <BLANKLINE>
    ``x``
        errors\_
    """
    result, section, at = [], None, 0
    while at < len(lines):
        line = lines[at]
        if at + 1 < len(lines) and line.strip() and UNDERLINE.match(lines[at + 1].strip()):
            section = line.strip()
            result += [f".. rubric:: {section}", ""]
            at += 2
        elif line.startswith(">>>"):
            end = next((i for i in range(at, len(lines)) if not lines[i].strip()), len(lines))
            result += lines[at:end]
            at = end
        elif line.startswith(" ") and section not in ("Parameters", "Attributes"):
            end = at
            while end < len(lines) and (lines[end].startswith(" ") or not lines[end].strip()):
                end += 1
            block = "\n".join(lines[at:end]).rstrip().split("\n")
            result += [] if not result or not result[-1].strip() else [""]
            result += [".. code-block:: text", "", *block, ""]
            at = end
        else:
            entry = ENTRY.match(line) if section in ("Parameters", "Attributes") else None
            if entry:
                names = ", ".join(f"``{each.strip()}``" for each in entry[1].split(","))
                result += [names, f"    {escaped(entry[2])}"]
            else:
                result.append(escaped(line))
            at += 1
    return result


def escaped(text):
    r"""Escape what reStructuredText would take for marks, outside of ``code`` and *emphasis*.

    >>> escaped("``x_`` and errors_ of |x|, *not* 2*3")
    '``x_`` and errors\\_ of \\|x\\|, *not* 2\\*3'
    """
    parts = re.split(r"(``.+?``|(?<![\w*])\*\w(?:[^*]*\w)?[?!.]?\*(?![\w*]))", text)
    parts[::2] = [re.sub(r"([*|`\\]|(?<=\w)_(?!\w))", r"\\\1", part) for part in parts[::2]]
    return "".join(parts)
