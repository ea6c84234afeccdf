"""What came back from the sandbox, as plain data for the checks: nothing in it is believed.

JSON has no pickles and no methods: after ``value`` there are only None, bool, int, float, str,
list and dict, of bounded depth and size, or one of the checks' own records.
"""

import builtins
import json
import re

from mlcourse.checks import Changed, Raised

DEEPEST = 40
LARGEST_INTEGER = 10**300  # beyond it, Python cannot compare an int with a float


class Odd:
    """Something returned that is not plain data; the checks print the name of its type."""


def odd(words):
    """Return an object whose type has this name: the checks say ``a NAME``."""
    name = re.sub(r"[^\w ,.]", "", str(words))[:60] or "strange value"
    return type(name, (Odd,), {})()


def value(answer, keys=str):
    """Return what a call gave: plain data, Raised, Changed or something odd.

    Fresh inputs are judged with keys as JSON has them, strings; ``keys=None`` leaves them.
    """
    if isinstance(answer.get("raised"), dict):
        return raised(answer["raised"])
    if "changed" in answer:
        position = answer["changed"]
        return Changed(position if isinstance(position, int) and 0 <= position < 100 else 0)
    if "value" in answer and tame(answer["value"]):
        return with_keys(answer["value"], keys)
    return odd(answer.get("odd", "value beyond all limits"))


def tame(data, depth=0):
    """Say whether data is neither too deep nor holds numbers too large to compare."""
    if depth > DEEPEST:
        return False
    if isinstance(data, int) and not isinstance(data, bool):
        return abs(data) < LARGEST_INTEGER
    if isinstance(data, list):
        return all(tame(entry, depth + 1) for entry in data)
    if isinstance(data, dict):
        return all(tame(entry, depth + 1) for entry in data.values())
    return True


def with_keys(data, keys):
    """Put dicts whose keys are not strings together again."""
    if isinstance(data, list):
        return [with_keys(entry, keys) for entry in data]
    if not isinstance(data, dict):
        return data
    pairs = data.get("__pairs__")
    good = isinstance(pairs, list) and all(isinstance(p, list) and len(p) == 2 for p in pairs)
    if not good or any(isinstance(key, list | dict) for key, _ in pairs):
        return {key: with_keys(entry, keys) for key, entry in data.items()}
    made = {key: with_keys(entry, keys) for key, entry in pairs}
    return json.loads(json.dumps(made)) if keys is str else made


def raised(parts):
    """Return the record of an exception; its line is a number, its texts are short."""
    texts = {key: str(parts.get(key, ""))[:300] for key in ("type", "message", "function", "code")}
    line = parts.get("line", 0)
    return Raised(line=line if isinstance(line, int) and 0 < line < 10**6 else 0, **texts)


def exception(name):
    """Return the name of an exception if it is Python's own: another could carry a message."""
    kind = getattr(builtins, name, None) if isinstance(name, str) else None
    known = isinstance(kind, type) and issubclass(kind, BaseException)
    return name if known else "an exception of your own"
