"""Grading a class: ``python3 course.py grade``. What each module answers.

collect   who handed in what?                    cells    which cells run, which are answers?
lessons   what is asked, and on which inputs?    inside   the program inside the sandbox
sandbox   how is student code locked in?         session  talking to it from outside
plain     what came back, as plain data          submission  the points of one student
book      what is already graded?                classroom  the whole class, in parallel
manual    points given by a person               pages    feedback, and the picture of the class

Student code runs only in ``inside``; nothing that it returns is believed before ``plain`` and the
hidden checks have looked at it. Expected values never enter the sandbox.
"""
