"""Prose of a text notebook: numbers filled in from the kernel, and what prose must not hold.

A source says ``{{ gain["outlook"]:.3f }}``; the build replaces it by the value the kernel has
at that cell's position. The part between the braces is what stands between the braces of an
f-string: an expression and, after a colon, a format.
"""

import ast
import re

# Code (fenced or in backticks) and mathematics, tried in this order at each position.
_SPANS = re.compile(
    r"""(?P<code>^(?P<fence>```+|~~~+).*?^(?P=fence)[ ]*$
               | (?P<tick>`+)(?!`).+?(?<!`)(?P=tick)(?!`))
      | (?P<math>(?<!\\)\$\$.+?\$\$
               | (?<![\\$])\$(?!\$)(?:[^$\n]|\n(?!\s*\n))+?(?<!\\)\$
               | \\begin\{(?P<env>\w+\*?)\}.+?\\end\{(?P=env)\})""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)
_EXPRESSION = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)
_LONG_FLOAT = re.compile(r"-?\d+\.\d{7,}|-?\d+(\.\d+)?e-\d+")


class ProseError(ValueError):
    """A fault in the prose, with the line of the cell (from 0) where it stands."""

    def __init__(self, message, line):
        super().__init__(message)
        self.line = line


def spans(text, kind):
    """Return the (start, end) of every ``kind`` ("code" or "math") in the prose."""
    return [match.span() for match in _SPANS.finditer(text) if match[kind]]


def blank(text, *kinds):
    """Return ``text`` with its code and/or mathematics overwritten by spaces; lines stay."""
    for kind in kinds:
        for start, end in spans(text, kind):
            text = text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]
    return text


def expressions(text):
    """Find the ``{{ … }}`` of a prose cell.

    Returns a list of (start, end, f-string source). Raises ProseError for braces inside LaTeX,
    braces that are never closed, and what is no Python expression.
    """
    for start, end in spans(text, "math"):
        at = text.find("{{", start, end)
        if at >= 0:
            raise ProseError(
                "'{{' inside LaTeX: put a computed number outside the mathematics, "
                "or write nested braces as '{ {'",
                text.count("\n", 0, at),
            )
    found = []
    for match in _EXPRESSION.finditer(text):
        body = match[1].strip()
        line = text.count("\n", 0, match.start())
        fstring = f'f"""{{{body}}}"""'
        try:
            parts = ast.parse(fstring, mode="eval").body.values
            if len(parts) != 1 or not isinstance(parts[0], ast.FormattedValue):
                raise SyntaxError
        except (SyntaxError, AttributeError):
            raise ProseError(f"'{{{{ {body} }}}}' is not 'expression:format'", line) from None
        found.append((match.start(), match.end(), fstring))
    rest = _EXPRESSION.sub("", text)
    if "{{" in rest:
        unclosed = text.count("\n", 0, text.rfind("{{"))
        raise ProseError("'{{' is never closed by '}}'", unclosed)
    return found


def fill(text, evaluate):
    """Replace every ``{{ … }}`` by the text that ``evaluate(f-string source)`` returns."""
    pieces, position = [], 0
    for start, end, fstring in expressions(text):
        line = text.count("\n", 0, start)
        shown = text[start:end]
        try:
            value = evaluate(fstring)
        except ValueError as error:
            raise ProseError(f"{shown}: {error}", line) from None
        if _LONG_FLOAT.fullmatch(value):
            raise ProseError(f"{shown} gives {value}: add a format such as ':.3f'", line)
        if value == "nan":
            raise ProseError(f"{shown} gives nan", line)
        pieces += [text[position:start], value]
        position = end
    return "".join([*pieces, text[position:]])
