"""What a student has in work/ is never overwritten or deleted, whatever happens to the course."""

import json
import os
import stat
import sys

import nbformat
import pytest
from nbformat.sign import NotebookNotary

from tools import work

LESSON = "lessons/01_first.ipynb"
EXERCISE = "exercises/01_first/01_first.ipynb"


def notebook(text):
    cell = nbformat.v4.new_code_cell(f"print({text!r})", id="one")
    cell.outputs = [nbformat.v4.new_output("stream", text=text + "\n")]
    return nbformat.writes(nbformat.v4.new_notebook(cells=[cell])).encode()


@pytest.fixture
def root(tmp_path):
    """Make a small course: two lessons, an exercise with data, and what must stay behind."""
    files = {
        "notebooks/01_first.ipynb": notebook("lesson"),
        "notebooks/02a_second.ipynb": notebook("second"),
        "notebooks/draft.ipynb": notebook("no lesson"),
        "notebooks/source/01_first.md": b"# source",
        "notebooks/.ipynb_checkpoints/01_first-checkpoint.ipynb": b"{}",
        "exercises/01_first/01_first.ipynb": notebook("exercise"),
        "exercises/01_first/data/letters.csv": b"a,1\n",
        "exercises/01_first/.ipynb_checkpoints/01_first-checkpoint.ipynb": b"{}",
    }
    for name, data in files.items():
        put(tmp_path, name, data)
    return tmp_path


def put(root, name, data):
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_bytes(data)


def contents(root):
    """Return {name: bytes} of all that lies in work/ but the record."""
    folder = root / "work"
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != work.RECORD
    }


def names(root, files):
    return [file.relative_to(root / "work").as_posix() for file in files]


def test_the_first_delivery_is_the_lessons_and_the_whole_exercise_folders(root):
    written = names(root, work.deliver(root))
    data, second = "exercises/01_first/data/letters.csv", "lessons/02a_second.ipynb"
    assert written == [EXERCISE, data, LESSON, second]
    assert sorted(contents(root)) == written
    assert contents(root)[LESSON] == notebook("lesson")


def test_a_second_delivery_of_the_same_course_writes_nothing(root, capsys):
    work.deliver(root)
    record = root / "work" / work.RECORD
    before = contents(root), record.stat().st_mtime_ns
    assert work.deliver(root) == []
    assert (contents(root), record.stat().st_mtime_ns) == before
    assert capsys.readouterr().out == ""


def test_what_a_student_changed_stays(root):
    work.deliver(root)
    put(root, "work/" + LESSON, b"my own work")
    assert work.deliver(root) == []
    assert contents(root)[LESSON] == b"my own work"


def test_what_a_student_deleted_comes_again(root):
    work.deliver(root)
    (root / "work" / LESSON).unlink()
    assert names(root, work.deliver(root)) == [LESSON]
    assert contents(root)[LESSON] == notebook("lesson")


@pytest.mark.parametrize("mine", [None, b"my own work"])
def test_new_versions_arrive_beside_the_copy_touched_or_not(root, capsys, mine):
    work.deliver(root)
    if mine:
        put(root, "work/" + LESSON, mine)
    for number in (2, 3):
        put(root, "notebooks/01_first.ipynb", notebook(f"lesson {number}"))
        assert names(root, work.deliver(root)) == [f"lessons/01_first_v{number}.ipynb"]
        said = capsys.readouterr().out
        assert said.count("\n") == 1 and f"01_first_v{number}.ipynb" in said and LESSON in said
        assert work.deliver(root) == [] and capsys.readouterr().out == ""
    after = contents(root)
    assert after[LESSON] == (mine or notebook("lesson"))
    assert after["lessons/01_first_v2.ipynb"] == notebook("lesson 2")
    assert after["lessons/01_first_v3.ipynb"] == notebook("lesson 3")


def test_a_deleted_second_version_does_not_come_again(root):
    work.deliver(root)
    put(root, "notebooks/01_first.ipynb", notebook("lesson 2"))
    (beside,) = work.deliver(root)
    beside.unlink()
    assert work.deliver(root) == []


def test_a_place_that_is_taken_is_left_alone(root):
    work.deliver(root)
    put(root, "work/lessons/01_first_v2.ipynb", b"my second try")
    put(root, "notebooks/01_first.ipynb", notebook("lesson 2"))
    assert names(root, work.deliver(root)) == ["lessons/01_first_v3.ipynb"]
    assert contents(root)["lessons/01_first_v2.ipynb"] == b"my second try"


def test_a_copy_that_equals_the_new_version_is_only_recorded(root, capsys):
    work.deliver(root)
    new = notebook("lesson 2")
    put(root, "notebooks/01_first.ipynb", new)
    put(root, "work/" + LESSON, new)
    assert work.deliver(root) == [] and capsys.readouterr().out == ""
    put(root, "work/" + LESSON, b"my own work")
    assert work.deliver(root) == [], "the version was recorded"


@pytest.mark.parametrize(
    "damage", [None, b"", b"{", b"\xff\xfe", b"[1]", b'{"a": 1}', b'{"a": [1]']
)
def test_a_lost_or_damaged_record_loses_nothing(root, capsys, damage):
    work.deliver(root)
    put(root, "work/" + EXERCISE, b"my own work")
    record = root / "work" / work.RECORD
    record.unlink()
    if damage is not None:
        record.write_bytes(damage)
    beside = "exercises/01_first/01_first_v2.ipynb"
    assert names(root, work.deliver(root)) == [beside], "the others equal their source"
    said = capsys.readouterr().out
    assert ("damaged" in said) == (damage is not None)
    after = contents(root)
    assert after[EXERCISE] == b"my own work" and after[beside] == notebook("exercise")
    assert sorted(json.loads(record.read_text())) == sorted(set(after) - {beside})
    assert work.deliver(root) == []
    record.unlink()
    assert work.deliver(root) == [], "the version beside is found again"


def test_read_only_sources_give_writable_copies(root):
    (root / "notebooks/01_first.ipynb").chmod(stat.S_IREAD)
    work.deliver(root)
    assert (root / "work" / LESSON).stat().st_mode & stat.S_IWRITE


@pytest.mark.skipif(os.name == "nt", reason="symbolic links need a privilege on Windows")
def test_symbolic_links_are_not_followed(root, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret.txt").write_text("secret")
    (root / "exercises/01_first/link").symlink_to(outside, target_is_directory=True)
    (root / "exercises/01_first/link.txt").symlink_to(outside / "secret.txt")
    (root / "notebooks/03_link.ipynb").symlink_to(outside / "secret.txt")
    work.deliver(root)
    assert not [name for name in contents(root) if "link" in name]
    mine = root / "work" / LESSON
    mine.unlink()
    mine.symlink_to(outside / "nowhere")  # a link of the student's, even a dead one, is a file
    put(root, "notebooks/01_first.ipynb", notebook("lesson 2"))
    assert names(root, work.deliver(root)) == ["lessons/01_first_v2.ipynb"]
    assert mine.is_symlink() and not (outside / "nowhere").exists()


@pytest.mark.parametrize("moment", ["write_bytes", "replace"])
def test_a_crash_leaves_no_half_file_and_the_next_run_goes_on(root, monkeypatch, moment):
    """The third file fails while it is written, or before it gets its name."""
    owner = work.Path if moment == "write_bytes" else work.os
    real, calls = getattr(owner, moment), []

    def fail(path, *rest):
        calls.append(path)
        if len(calls) == 3:
            if moment == "write_bytes":
                real(path, b"hal")
            raise OSError(28, "No space left on device")
        return real(path, *rest)

    with monkeypatch.context() as patch:
        patch.setattr(owner, moment, fail)
        with pytest.raises(OSError, match="No space"):
            work.deliver(root)
    after = contents(root)
    assert len(after) == 2 and not [name for name in after if name.endswith(".part")]
    assert sorted(json.loads((root / "work" / work.RECORD).read_text()))[:2] == sorted(after)
    put(root, "work/" + EXERCISE, b"my own work")
    assert names(root, work.deliver(root)) == [LESSON, "lessons/02a_second.ipynb"]
    assert contents(root)[EXERCISE] == b"my own work"


def test_an_empty_course_delivers_nothing(tmp_path):
    assert work.deliver(tmp_path) == []


def test_only_what_was_written_is_trusted(root, monkeypatch, tmp_path_factory, capfd):
    home = tmp_path_factory.mktemp("jupyter")
    for name in ("JUPYTER_DATA_DIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR"):
        monkeypatch.setenv(name, str(home))
    put(root, "work/" + EXERCISE, notebook("from elsewhere"))
    written = work.deliver(root)
    assert work.trust(sys.executable, written)
    assert capfd.readouterr().err == "", "trusting is quiet"

    def trusted(name):
        notary = NotebookNotary(data_dir=str(home))
        try:
            return notary.check_signature(nbformat.read(root / "work" / name, as_version=4))
        finally:
            notary.store.close()

    assert trusted(LESSON) and trusted("lessons/02a_second.ipynb")
    assert trusted("exercises/01_first/01_first_v2.ipynb")
    assert not trusted(EXERCISE), "what a student brought along is for the student to trust"


def test_trust_says_when_it_fails_and_starts_nothing_without_notebooks(root):
    assert work.trust("no such python", [root / "data.csv"])
    put(root, "work/broken.ipynb", b"not json")
    assert not work.trust(sys.executable, [root / "work/broken.ipynb"])
