"""From a MyST text notebook to an executed .ipynb that has the same bytes every time.

Cell ids are hashes of what the author wrote, kernel metadata is fixed, no times are stored,
and prose gets its numbers from the kernel (tools/prose.py). ``differences`` compares two such
notebooks: text exactly, pictures within the tolerance stated below.
"""

import ast
import base64
import hashlib
import io
import json
import os
import re
import time
from pathlib import Path

import jupytext
import nbformat
import numpy as np
from jupyter_core.utils import run_sync
from jupytext.myst import myst_to_notebook
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from PIL import Image

from tools.prose import ProseError, fill

METADATA = {
    "kernelspec": {
        "display_name": "Python 3 (ipykernel)",
        "language": "python",
        "name": "python3",
    },
    "language_info": {
        "codemirror_mode": {"name": "ipython", "version": 3},
        "file_extension": ".py",
        "mimetype": "text/x-python",
        "name": "python",
        "nbconvert_exporter": "python",
        "pygments_lexer": "ipython3",
    },
}
CELL_TIMEOUT = 120  # seconds

# Two pictures are the same if their sizes are equal and at most one pixel in ten thousand
# differs by more than 32 of 255 levels in any channel.
PIXEL_LEVELS = 32
PIXEL_SHARE = 1e-4

_DATA_IMAGE = re.compile(r"data:image/png;base64,([A-Za-z0-9+/=]+)")


class BuildError(Exception):
    """A source that cannot be built; the message begins with file and line."""


# Reading -------------------------------------------------------------------------------------


def read_source(path):
    """Read a text notebook; return the notebook and the file line (from 1) of each cell."""
    text = Path(path).read_text(encoding="utf-8")
    lines = text.splitlines()
    try:
        notebook = myst_to_notebook(text, add_source_map=True)
    except Exception as error:  # jupytext raises several kinds; each names its line itself
        raise BuildError(f"{path}:1: {error}") from None
    starts = []
    for cell, line in zip(notebook.cells, notebook.metadata.pop("source_map"), strict=True):
        # The map points at the fence or at blank lines above the text: move on to the text.
        first = cell.source.split("\n", 1)[0]
        while line < len(lines) and lines[line] != first:
            line += 1
        starts.append(line + 1)
    return notebook, starts


def normalized(text):
    """Return a text notebook as jupytext writes it: saving it in JupyterLab changes nothing."""
    return jupytext.writes(jupytext.reads(text, fmt="md:myst"), fmt="md:myst")


def _cell_id(cell, seen):
    """Return an id made from the cell's text; equal texts are told apart by their order."""
    text = f"{cell.cell_type}\n{cell.source}"
    seen[text] = seen.get(text, 0) + 1
    return hashlib.sha256(f"{text}\n{seen[text]}".encode()).hexdigest()[:12]


# Building ------------------------------------------------------------------------------------


def _evaluator(client):
    """Return a function that evaluates an f-string in the client's kernel, leaving no trace."""

    def evaluate(fstring):
        reply = run_sync(client.kc.execute_interactive)(
            "", silent=True, store_history=False, user_expressions={"value": fstring}, timeout=60
        )
        answer = reply["content"]["user_expressions"]["value"]
        if answer["status"] != "ok":
            raise ValueError(f"{answer['ename']}: {answer['evalue']}")
        return ast.literal_eval(answer["data"]["text/plain"])

    return evaluate


def build(source, folder=None):
    """Execute a text notebook in a fresh kernel; return the notebook and the seconds it took.

    ``folder`` is where the kernel works, by default the place the .ipynb will stand.
    """
    source = Path(source)
    notebook, lines = read_source(source)
    seen = {}
    for cell in notebook.cells:
        cell.id = _cell_id(cell, seen)
    notebook.metadata = nbformat.from_dict(METADATA)
    notebook.nbformat, notebook.nbformat_minor = 4, 5

    began = time.perf_counter()
    client = NotebookClient(
        notebook,
        timeout=CELL_TIMEOUT,
        kernel_name="python3",
        record_timing=False,
        coalesce_streams=True,
        extra_arguments=["--IPKernelApp.log_level=40"],  # errors only
        resources={"metadata": {"path": str(folder or source.parent)}},
    )
    # The width of this terminal must not reach the outputs.
    environment = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "MPLBACKEND")}
    with client.setup_kernel(env=environment):
        evaluate = _evaluator(client)
        for index, (cell, line) in enumerate(zip(notebook.cells, lines, strict=True)):
            try:
                if cell.cell_type == "code":
                    client.execute_cell(cell, index)
                elif cell.cell_type == "markdown":
                    cell.source = fill(cell.source, evaluate)
            except ProseError as error:
                raise BuildError(f"{source}:{line + error.line}: {error}") from None
            except CellExecutionError as error:
                reason = f"{error.ename}: {error.evalue}"
                raise BuildError(f"{source}:{line}: this cell raised {reason}") from None
            except CellTimeoutError:
                reason = f"this cell ran longer than {CELL_TIMEOUT} s"
                raise BuildError(f"{source}:{line}: {reason}") from None
            except DeadKernelError:
                raise BuildError(f"{source}:{line}: the kernel died in this cell") from None
    seconds = time.perf_counter() - began
    nbformat.validate(notebook)
    return notebook, seconds


def dumps(notebook):
    """Return the notebook as text, the same bytes for the same notebook."""
    return json.dumps(notebook, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def write_atomically(path, text):
    """Write a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".partial")
    partial.write_text(text, encoding="utf-8", newline="\n")
    partial.replace(path)


# Comparing -----------------------------------------------------------------------------------


def same_picture(one, other):
    """Compare two PNG pictures (base64 text) within the tolerance."""
    if one.strip() == other.strip():
        return True
    pixels = []
    for data in (one, other):
        image = Image.open(io.BytesIO(base64.b64decode(data)))
        pixels.append(np.asarray(image.convert("RGBA"), dtype=np.int16))
    if pixels[0].shape != pixels[1].shape:
        return False
    apart = (np.abs(pixels[0] - pixels[1]) > PIXEL_LEVELS).any(axis=2)  # (height, width)
    return bool(apart.mean() <= PIXEL_SHARE)


def _same_value(kind, one, other):
    """Compare one entry of an output; pictures inside HTML count as pictures."""
    if one == other:
        return True
    if not (isinstance(one, str) and isinstance(other, str)):
        return False
    if kind == "image/png":
        return same_picture(one, other)
    frames = [_DATA_IMAGE.findall(text) for text in (one, other)]
    return (
        len(frames[0]) == len(frames[1]) > 0
        and _DATA_IMAGE.sub("", one) == _DATA_IMAGE.sub("", other)
        and all(map(same_picture, *frames))
    )


def _difference_of_outputs(built, stored):
    """Say how two lists of outputs differ, or return None."""
    if len(built) != len(stored):
        return f"{len(stored)} outputs are stored, the source gives {len(built)}"
    for number, (new, old) in enumerate(zip(built, stored, strict=True), start=1):
        new, old = dict(new), dict(old)
        new_data, old_data = new.pop("data", {}), old.pop("data", {})
        if new != old or new_data.keys() != old_data.keys():
            return f"output {number} differs: stored {_short(old)}, the source gives {_short(new)}"
        for kind in new_data:
            if not _same_value(kind, new_data[kind], old_data[kind]):
                what = "picture" if kind == "image/png" else kind
                return (
                    f"the {what} of output {number} differs: stored {_short(old_data[kind])}, "
                    f"the source gives {_short(new_data[kind])}"
                )
    return None


def _short(value, length=80):
    text = value if isinstance(value, str) else json.dumps(value, sort_keys=True)
    return repr(text if len(text) <= length else text[:length] + "…")


def differences(built, stored):
    """List, in words, where a stored notebook is not what its source builds; empty if it is."""
    found = []
    if built.metadata != stored.metadata:
        found.append("the notebook's metadata differ")
    if len(built.cells) != len(stored.cells):
        found.append(f"{len(stored.cells)} cells are stored, the source has {len(built.cells)}")
    for number, (new, old) in enumerate(zip(built.cells, stored.cells, strict=False), start=1):
        where = f"cell {number}"
        if new.source != old.source:
            pairs = zip(new.source.splitlines(), old.source.splitlines(), strict=False)
            unequal = next(((a, b) for a, b in pairs if a != b), (new.source, old.source))
            found.append(
                f"{where}: stored {_short(unequal[1])}, the source gives {_short(unequal[0])}"
            )
        for key in sorted((new.keys() | old.keys()) - {"source", "outputs"}):
            if new.get(key) != old.get(key):
                found.append(f"{where}: {key} is {old.get(key)!r}, not {new.get(key)!r}")
        problem = _difference_of_outputs(new.get("outputs", []), old.get("outputs", []))
        if problem:
            found.append(f"{where}: {problem}")
    return found
