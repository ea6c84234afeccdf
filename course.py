"""The one entry to the course: ``python3 course.py lab`` (or ``test``, ``build``).

This file parses under any Python, so that one too old to run the course gets a sentence that
says what to do instead of a syntax error. The commands live in tools/commands.py.
"""

from __future__ import print_function

import os
import sys


def start():
    """Hand over to the commands, or explain which Python is needed."""
    if sys.version_info < (3, 11):
        found = "%d.%d" % (sys.version_info[0], sys.version_info[1])
        print(
            "course.py: this is Python " + found + ", but the course needs Python 3.11 or newer: "
            "get one from https://www.python.org/downloads/ and call it by its version, for "
            'example "python3.12 course.py lab" (on Windows "py -3.12 course.py lab").',
            file=sys.stderr,
        )
        return 1
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    from tools.commands import main

    return main()


if __name__ == "__main__":
    sys.exit(start())
