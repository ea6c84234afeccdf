"""What of a paragraph stands on a slide? Sentences, cut where they end."""

import re
from itertools import pairwise

END = re.compile(  # of a sentence: not after "e.g", an initial or a number; a colon only at the end
    r"(?<!\be\.g)(?<!\bi\.e)(?<!\bcf)(?<!\b[A-Z])(?<!\*\*\d)[.!?][*_)\"”]*(?=\s+[A-Z*\"“\0]|$)|:$"
)


def lead(paragraph, sentences=1, *, last=False):
    """Return the first sentences of a paragraph; formulas and code in them stay whole.

    Questions stay too, and with ``last`` the last sentence.

    >>> lead("One idea, $x. y$ is fine. The rest is for the notes. Is it?")
    'One idea, $x. y$ is fine. … Is it?'
    """
    kept = []

    def hide(match):
        kept.append(match[0])
        return f"\0{len(kept) - 1}\0"

    text = re.sub(r"\$[^$]+\$|`[^`]+`|\[[^\]]*\]\([^)]*\)", hide, " ".join(paragraph.split()))
    ends = [0, *(match.end() for match in END.finditer(text))]
    ends += [len(text)] * (ends[-1] < len(text))
    said, before = "", -1
    for place, sentence in enumerate(text[i:j] for i, j in pairwise(ends)):
        asked = sentence.rstrip('*_)"”').endswith("?")
        if place < sentences or asked or (last and place == len(ends) - 2):
            said += (" …" if place > before + 1 else "") + sentence
            before = place
    alone = re.sub(r"(?<!\S)\*(?!\S)", "", said)  # without stars that multiply
    for mark in ("**", "*"):  # a sentence cut out of emphasis or brackets closes them
        said += mark * (alone.count(mark) % 2)
    said += ")" * (said.count("(") > said.count(")"))
    return re.sub("\0(\\d+)\0", lambda match: kept[int(match[1])], said)


def paragraphs(text):
    """Split Markdown into blocks at blank lines; code that is set off by spaces keeps them."""
    blocks = [block.strip("\n") for block in re.split(r"\n\s*\n", text) if block.strip()]
    return [block if block.startswith("    ") else block.strip() for block in blocks]


def plain(text):
    """Return a heading without Markdown's marks."""
    return re.sub(r"[*_`]", "", text).strip()
