"""Who handed in what? From a folder as learning platforms and students make it.

One sub-folder, one notebook or one zip for each student; Moodle's and Canvas' names are read.
Symbolic links are not followed, archives are read in memory within limits, nothing is unpacked.
"""

import contextlib
import datetime
import hashlib
import io
import lzma
import os
import re
import unicodedata
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path, PurePosixPath

from tools.grading import cells

MOODLE = re.compile(r"^(?P<name>.+)_(?P<id>\d+)_assignsubmission_[a-z]+_?(?P<rest>.*)$")
CANVAS = re.compile(r"^(?P<name>[^_]+)_(?:late_|LATE_)?(?P<id>\d+)_\d+_(?P<rest>.+)$")
SKIPPED = {"__MACOSX", "__pycache__", ".ipynb_checkpoints"}
EXTRA = 10 * 2**20  # bytes of what lies beside a notebook
MOST_FILES = 500
INSIDE_ARCHIVE = 60 * 2**20  # bytes unpacked
UNZIP = (zipfile.BadZipFile, RuntimeError, NotImplementedError, OSError, EOFError, MemoryError)
UNZIP += (zlib.error, lzma.LZMAError)


@dataclass
class File:
    """One file that was handed in; ``read`` returns its bytes, at most those of a notebook."""

    name: str
    size: int
    time: float
    read: Callable


@dataclass
class Handed:
    """What one student handed in."""

    student: str
    files: list = field(default_factory=list)
    notes: list = field(default_factory=list)

    def digest(self):
        """Return a digest of everything that was handed in."""
        total = hashlib.sha256()
        for file in sorted(self.files, key=lambda each: each.name):
            total.update(f"{file.name}\0{file.size}\0".encode(errors="replace"))
            with contextlib.suppress(*UNZIP):
                total.update(hashlib.sha256(file.read()).digest())
        return total.hexdigest()[:32]


def handed_in(place):
    """Return ([Handed], notes) of a folder or of a platform's zip."""
    place, found, notes = Path(place), {}, []
    if place.is_file() and place.suffix.lower() == ".zip":
        top = by_first_part(unpacked(partial(open, place, "rb"), 0, notes, place.name, most=20))
    else:
        paths = [place] if place.is_file() else sorted(place.iterdir())
        top = [(path.name, path) for path in paths]
    for name, thing in top:
        if name in SKIPPED or name.startswith("."):
            continue
        if isinstance(thing, Path) and thing.is_symlink():
            notes.append(f"{name}: a symbolic link, not followed")
            continue
        is_file = thing.is_file() if isinstance(thing, Path) else name == thing[0].name
        if is_file and not name.lower().endswith((".ipynb", ".zip")):
            notes.append(f"{name}: neither a notebook, a zip nor a student's folder; left out")
            continue
        student = student_of(name, is_file)
        entry = found.setdefault(student, Handed(student))
        files = folder_files(thing, entry.notes) if isinstance(thing, Path) else thing
        for file in files:
            if file.name.lower().endswith(".zip"):
                opened = partial(in_memory, file.read)
                entry.files += unpacked(opened, file.time, entry.notes, file.name)
            else:
                entry.files.append(file)
    return [found[student] for student in sorted(found, key=str.casefold)], notes


def student_of(name, is_file):
    """Return the student that the name of a file or folder tells.

    >>> student_of("Ana María_1234_assignsubmission_file_", False)
    'Ana María (1234)'
    >>> student_of("doejane_8812_771_exercise01.ipynb", True), student_of("jane.ipynb", True)
    ('doejane (8812)', 'jane')
    """
    name = unicodedata.normalize("NFC", name)
    stem = name.rpartition(".")[0] if is_file else name
    found = MOODLE.match(stem + ("_" if not is_file else ""))
    if not found and is_file:
        found = CANVAS.match(stem)
    return f"{found['name'].strip()} ({found['id']})" if found else stem.strip() or name


def folder_files(path, notes):
    """Return the files of a student's folder (or the one file), without links and leftovers."""
    inner = [Path(top, name) for top, *names in os.walk(path) for name in chain(*names)]
    paths = sorted(inner) or [path]
    files = []
    for each in paths:
        try:
            each.lstat()
        except OSError as error:
            notes.append(f"{each.name[:60]}: cannot be read ({error.strerror})")
            continue
        inside = each.relative_to(path).parts if each != path else (each.name,)
        if SKIPPED & set(inside) or any(part.startswith("._") for part in inside):
            continue
        if each.is_symlink() or any(parent.is_symlink() for parent in parents(each, path)):
            notes.append(f"{each.name}: a symbolic link, not followed")
        elif each.is_file() and len(files) < MOST_FILES:
            about = each.stat()
            read = partial(beginning, partial(open, each, "rb"))
            files.append(File("/".join(inside), about.st_size, about.st_mtime, read))
    return files


def parents(path, top):
    """Return the folders between a path and the top, without the top."""
    return [each for each in path.parents if each != top and each.is_relative_to(top)]


def beginning(opened):
    """Return a file's bytes, of one that is too large only as many as show it."""
    with opened() as file:
        return file.read(cells.LARGEST + 1)


def in_memory(read):
    """Return an archive that lies in another one as an open file."""
    return io.BytesIO(read())


def member(opened, name):
    """Return the bytes of one file in a zip; only then is it unpacked."""
    with opened() as file, zipfile.ZipFile(file) as archive:
        return beginning(partial(archive.open, name))


def unpacked(opened, time, notes, name, most=1):
    """Return the files of a zip; a damaged or huge one gives none."""
    try:
        with opened() as file, zipfile.ZipFile(file) as archive:
            members = [each for each in archive.infolist() if not each.is_dir()]
    except (ValueError, *UNZIP) as error:
        notes.append(f"{name}: a zip that cannot be read ({error})")
        return []
    kept = [m for m in members if not SKIPPED & set(PurePosixPath(m.filename).parts)]
    size = sum(each.file_size for each in kept)
    if len(kept) > most * MOST_FILES or size > most * INSIDE_ARCHIVE:
        notes.append(f"{name}: a zip that is too large: {len(kept)} files, {size >> 20} MB")
        return []
    return [
        File(m.filename, m.file_size, stamp(m.date_time, time), partial(member, opened, m.filename))
        for m in kept
    ]


def stamp(date, fallback):
    """Return seconds for a zip's date."""
    try:
        return datetime.datetime(*date).timestamp()
    except (ValueError, OverflowError, OSError):
        return fallback


def by_first_part(files):
    """Group the files of a platform's zip by their first folder; loose ones stand alone."""
    groups = {}
    for file in files:
        first, _, rest = file.name.partition("/")
        if rest:
            file.name = rest
        groups.setdefault(first, []).append(file)
    return sorted(groups.items())


def choose(handed, lesson, others):
    """Return (notebook File or None, why not, notes, files beside it)."""
    notes = list(handed.notes)
    notebooks = [file for file in handed.files if file.name.lower().endswith(".ipynb")]
    if not notebooks:
        why = "nothing was handed in" if not handed.files else "no notebook was handed in"
        return None, why, notes, {}
    read, broken, elsewhere = [], [], []
    for file in notebooks:
        try:
            found = cells.read(file.read(), file.size)
        except cells.Unreadable as reason:
            broken.append((file, str(reason)))
            continue
        except UNZIP as error:
            broken.append((file, f"the zip is damaged: {error}"))
            continue
        here = cells.likeness(found, lesson)
        there = {other.number: cells.likeness(found, other) for other in others}
        best = max(there, key=there.get, default=None)
        named = {number.zfill(2) for cell in found for number in cells.USE.findall(cell.source)}
        if named and lesson.number not in named:
            elsewhere.append((file, min(named)))
        elif best and there[best] > here:
            elsewhere.append((file, best))
        else:
            read.append((not cells.blank(found, lesson), here > 0, order(file), file))
    if not read:
        if broken:
            return None, broken[-1][1], notes, {}
        return None, f"this is the notebook of exercise {elsewhere[-1][1]}", notes, {}
    read.sort(key=lambda entry: entry[:3])
    chosen = read[-1][-1]
    passed = [file.name for *_, file in read[:-1]] + [file.name for file, _ in broken + elsewhere]
    if passed:
        notes.append(f"graded: {chosen.name}; passed over: {', '.join(sorted(passed))}")
    return chosen, "", notes, beside(handed, chosen)


def order(file):
    """Order versions: the newest last; of the same minute, the highest number in its name."""
    numbers = [int(digits[:9]) for digits in re.findall(r"\d+", file.name)]
    return int(file.time // 60), numbers, file.name


def beside(handed, chosen):
    """Return {name: bytes} of what lay in the notebook's folder, without notebooks."""
    folder, total, found = chosen.name.rpartition("/")[0], 0, {}
    for file in handed.files:
        name = file.name.removeprefix(f"{folder}/") if folder else file.name
        if folder and not file.name.startswith(f"{folder}/"):
            continue
        total += file.size
        if name.lower().endswith(".ipynb") or total > EXTRA or len(found) > MOST_FILES:
            continue
        with contextlib.suppress(*UNZIP):
            found[name] = file.read()
    return found
