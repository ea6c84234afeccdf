"""Settings of nbgrader, for ``nbgrader`` commands run in this folder.

solutions/ is the source, exercises/ what students get. ``nbgrader autograde`` sees the visible
checks only and does not run students' code in a sandbox.
"""

c = get_config()  # noqa: F821 (nbgrader defines it)

c.CourseDirectory.course_id = "mlcourse"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "exercises"

# Beside the notebook only its data leave solutions/: no source, hidden check or wrong answer.
# When submissions are graded, no numpy.py of a student's own is copied beside the notebook.
c.CourseDirectory.ignore = [
    "*.md",
    "*.py",
    "*.pyc",
    "__pycache__",
    ".*",
    "feedback",
]

c.Execute.timeout = 10  # seconds per cell
c.OverwriteCells.add_missing_cells = True
