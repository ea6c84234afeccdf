"""The student's own copies in work/: delivered once, never overwritten, never deleted.

work/.delivered.json records which versions of each file have been delivered. A file that is not
there is copied. If the course has a new version of a file that is there, the new version arrives
beside it as NAME_v2, NAME_v3, ... and a sentence says so. Standard library only.
"""

import hashlib
import json
import os
import subprocess
from pathlib import Path

from tools.environment import clean

RECORD = ".delivered.json"


def deliver(root):
    """Copy lessons and exercises to root/work; return the files written."""
    work = root / "work"
    work.mkdir(exist_ok=True)
    record = read_record(work / RECORD)
    before, written = json.dumps(record), []
    try:
        for name, source in sources(root):
            data, target = source.read_bytes(), work / name
            version, delivered = hashlib.sha256(data).hexdigest(), record.setdefault(name, [])
            if os.path.lexists(target):
                if version in delivered:
                    continue
                target = place_beside(target, data)
            if target:
                target.parent.mkdir(parents=True, exist_ok=True)
                write(target, data)
                written.append(target)
                if target != work / name:
                    print(f"{name} has a new version; yours stays, the new one is {target.name}.")
            if version not in delivered:
                delivered.append(version)
    finally:
        if json.dumps(record) != before:
            write(work / RECORD, (json.dumps(record, indent=1) + "\n").encode())
    return written


def sources(root):
    """Return (name in work/, file in the repository) of all there is to deliver, sorted."""
    found = {f"lessons/{path.name}": path for path in root.glob("notebooks/[0-9][0-9]*.ipynb")}
    for folder, folders, files in os.walk(root / "exercises"):  # follows no symbolic links
        folders[:] = [name for name in folders if not name.startswith(".")]  # no checkpoints
        for path in (Path(folder, name) for name in files if not name.startswith(".")):
            found[path.relative_to(root).as_posix()] = path
    return sorted((name, path) for name, path in found.items() if not path.is_symlink())


def place_beside(target, data):
    """Return the first free place NAME_v2, NAME_v3, ...; None if a copy has these bytes already."""
    place, number = target, 1
    while os.path.lexists(place):
        if place.is_file() and place.read_bytes() == data:
            return None
        number += 1
        place = target.with_name(f"{target.stem}_v{number}{target.suffix}")
    return place


def write(path, data):
    """Write a file whole or not at all: under another name first, then renamed."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        part.write_bytes(data)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def read_record(path):
    """Return {name: [versions delivered]}; a damaged record counts as lost."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        if all(isinstance(versions, list) for versions in record.values()):
            return record
    except FileNotFoundError:
        return {}
    except (ValueError, AttributeError):
        pass
    print(f"{path} is damaged and is written anew; your files stay as they are.")
    return {}


def trust(python, files):
    """Mark new copies as trusted, so that stored figures may move; return success."""
    notebooks = [str(file) for file in files if file.suffix == ".ipynb"]
    if not notebooks:
        return True
    command = [str(python), "-P", "-m", "nbformat.sign", *notebooks]
    done = subprocess.run(command, env=clean(), stdin=subprocess.DEVNULL, capture_output=True)
    return done.returncode == 0
