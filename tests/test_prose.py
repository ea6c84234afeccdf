"""Numbers in prose: filled where they should be, refused where they should not."""

import pytest

from tools.prose import ProseError, blank, expressions, fill, spans

KERNEL = {"gain": {"outlook": 0.24675}, "n": 14, "x": 1 / 3}


def evaluate(fstring):
    try:
        return eval(fstring, {}, KERNEL)
    except Exception as error:
        raise ValueError(f"{type(error).__name__}: {error}") from None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('gain {{ gain["outlook"]:.3f }} bits', "gain 0.247 bits"),
        ("{{n}} and {{ n + 1 }}", "14 and 15"),
        ("{{ f'{n}-{n}' }}", "14-14"),
        ("share {{ x:.1%}}", "share 33.3%"),
        ("{{ [v for v in range(3)][-1] }}", "2"),
        ("{{ n!r:>4}}", "  14"),
        ("nothing here", "nothing here"),
        ("`{{ n }}` in code is filled too", "`14` in code is filled too"),
        (r"\frac{a}{b} $\frac{a}{b}$", r"\frac{a}{b} $\frac{a}{b}$"),
    ],
)
def test_filled(text, expected):
    assert fill(text, evaluate) == expected


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("one\n{{ unknown:.3f }}", "NameError", 1),
        ("{{ n:.3q }}", "ValueError", 0),
        ("{{ n + }}", "expression:format", 0),
        ("{{ }}", "expression:format", 0),
        ("a\nb\n{{ n", "never closed", 2),
        ("{{ x }}", "add a format", 0),
        ("{{ float('nan'):.2f }}", "gives nan", 0),
        ("ok\n$H = {{ n }}$", "inside LaTeX", 1),
        ("$$\n\\frac{{a}}{b}\n$$", "inside LaTeX", 1),
        ("\\begin{align}\nx_{{1}}\n\\end{align}", "inside LaTeX", 1),
        ("a $x$ b {{ n }} c $y_{{k}}$", "inside LaTeX", 0),
    ],
)
def test_refused_with_line(text, message, line):
    with pytest.raises(ProseError, match=message) as error:
        fill(text, evaluate)
    assert error.value.line == line


def test_a_number_between_two_formulas_is_not_inside_latex():
    assert fill("$a$ {{ n }} $b$", evaluate) == "$a$ 14 $b$"
    assert fill(r"costs 5\$ or {{ n }} or 6\$", evaluate) == r"costs 5\$ or 14 or 6\$"


def test_dollars_in_code_are_not_mathematics():
    text = "`$a` {{ n }} `b$`"
    assert spans(text, "math") == []
    assert fill(text, evaluate) == "`$a` 14 `b$`"


def test_blank_keeps_lines_and_length():
    text = "a $x$ b\n```\ncode\n```\n`c` d"
    masked = blank(text, "code", "math")
    assert len(masked) == len(text) and masked.count("\n") == text.count("\n")
    assert masked.split() == ["a", "b", "d"]


def test_expressions_are_given_in_order():
    assert [f for _, _, f in expressions("{{ a }} {{ b:.2f }}")] == ['f"""{a}"""', 'f"""{b:.2f}"""']
