"""Feedback for each student, and the class at a glance: plain HTML pages without scripts.

Everything a student wrote is escaped, and the pages forbid scripts and outside requests besides.
A page shows the student's own answer, the outcome and a hint; fresh inputs, their answers and the
solution are not in the records that it is made from.
"""

import base64
import html
import io
from collections import Counter

from mlcourse import plots
from tools.grading.book import total

POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem;
       color: #1b1b1b; background: #fff; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .4rem; }
pre { background: #f4f5f7; border-left: 4px solid #b8bec8; padding: .7rem .9rem; overflow-x: auto;
      white-space: pre-wrap; overflow-wrap: anywhere; font-size: .88rem; }
p.outcome { margin: .3rem 0; } p.hint { margin: .3rem 0; color: #444; }
.full { color: #00614a; } .none { color: #9c3d00; } .open { color: #555; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #d8dbe0;
         vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
img { max-width: 100%; height: auto; }
"""
MARKS = {"full": "✓ right", "part": "◐ partly right", "none": "✗ no points", "open": "… open"}
NAMED = {
    "raised": "stops with an exception",
    "unknown": "wrong, in no known way",
    "blank": "not answered",
    "stopped": "stopped: time, memory or a dead process",
    "broken_cell": "the cell does not run",
    "missing": "no such function",
    "no_return": "returns None",
    "wrong_type": "a value of the wrong kind",
    "not_finite": "NaN or infinity",
    "changed_input": "changes its argument",
    "mlcourse": "mlcourse's own function",
    "no_function": "not a function",
    "unreadable": "nothing that can be read",
}


def page(title, body):
    """Return a whole page."""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head>\n<body>\n{body}\n"
        "</body></html>\n"
    )


def escape(text):
    """Return a text that means nothing to a browser."""
    return html.escape(str(text), quote=True)


def points_of(entry):
    """Return points as people write them: 2 of 3, or – of 3."""
    points = "–" if entry["points"] is None else f"{entry['points']:g}"
    return f"{points} of {entry['most']:g}"


def state(entry):
    """Return full, part, none or open."""
    if entry["points"] is None:
        return "open"
    if entry["points"] >= entry["most"]:
        return "full"
    return "part" if entry["points"] > 0 else "none"


def title_of(lesson, name):
    """Return what a question is called."""
    question = lesson.questions.get(name)
    return question.title if question else "a derivation, read by a person"


def lesson_title(lesson):
    """Return the name of an exercise in words."""
    return f"Exercise {lesson.number}, {lesson.name[3:].replace('_', ' ')}"


def feedback(lesson, record):
    """Return a student's page."""
    most = sum(entry["most"] for entry in record["results"].values())
    waiting = [name for name, entry in record["results"].items() if entry["points"] is None]
    more = f"; {', '.join(waiting)} still to be read" if waiting else ""
    parts = [
        f"<h1>{escape(lesson_title(lesson))}</h1>",
        f"<p>{escape(record['student'])}: <strong>{total(record):g} of {most:g} points</strong>"
        f"{escape(more)}."
        + (f" Graded: {escape(record['notebook'])}." if record["notebook"] else "")
        + "</p>",
    ]
    for name, entry in record["results"].items():
        kind = state(entry)
        parts.append(f"<h2>{escape(name)}: {escape(title_of(lesson, name))}</h2>")
        parts.append(
            f'<p class="outcome"><strong class="{kind}">{MARKS[kind]}</strong>, '
            f"{points_of(entry)} points. {escape(sentence(entry['reason']))}</p>"
        )
        question = lesson.questions.get(name)
        if question and kind != "full" and question.hints and entry["mistake"] != "unreadable":
            parts.append(f'<p class="hint">Hint: {escape(question.hints[0])}</p>')
        if entry["answer"]:
            parts.append(f"<pre>{escape(entry['answer'])}</pre>")
    return page(f"{lesson_title(lesson)}: {record['student']}", "\n".join(parts))


def sentence(reason):
    """Begin with a capital letter and end with a mark."""
    text = reason[:1].upper() + reason[1:]
    return text if text.endswith((".", "?", "!", ")")) else text + "."


def summary(lesson, records):
    """Return the class at a glance: a picture, common wrong answers by name, all students."""
    names = list(records[0]["results"])
    png, caption = picture(lesson, records, names)
    parts = [f"<h1>{escape(lesson_title(lesson))}: the class</h1>"]
    parts.append(f"<p>{len(records)} students. {escape(middle(records))}</p>")
    code = base64.b64encode(png).decode()
    parts.append(f'<img src="data:image/png;base64,{code}" alt="{escape(caption)}">')
    parts.append(f"<p><em>{escape(caption)}</em></p>")
    parts += ["<h2>Common wrong answers</h2>", wrong_answers(lesson, records, names)]
    parts += ["<h2>Students</h2>", students(records, names)]
    same = sorted({tuple(sorted([r["student"], *r["twins"]])) for r in records if r["twins"]})
    if same:
        parts.append("<h2>The same file</h2><ul>")
        parts += [f"<li>{escape(', '.join(group))}</li>" for group in same]
        parts.append("</ul>")
    return page(f"{lesson_title(lesson)}: the class", "\n".join(parts))


def middle(records):
    """Say where the middle of the class is."""
    totals = sorted(total(record) for record in records)
    most = sum(entry["most"] for entry in records[0]["results"].values())
    half = len(totals) // 2
    median = totals[half] if len(totals) % 2 else (totals[half - 1] + totals[half]) / 2
    waiting = {n for r in records for n, e in r["results"].items() if e["points"] is None}
    more = f" ({', '.join(sorted(waiting))} not all read yet)" if waiting else ""
    return f"Median {median:g} of {most:g} points{more}, from {totals[0]:g} to {totals[-1]:g}."


def wrong_answers(lesson, records, names):
    """Return the table of wrong answers by name, most frequent first."""
    rows = []
    for name in names:
        entries = [record["results"][name] for record in records]
        wrong = [e for e in entries if e["points"] is not None and e["points"] < e["most"]]
        counts = Counter(entry["mistake"] or "by hand" for entry in wrong)
        known = lesson.questions[name].messages() if name in lesson.questions else {}
        for mistake, count in counts.most_common(6):
            says = known.get(mistake) or NAMED.get(mistake, "fewer points, given by a person")
            rows.append(
                f'<tr><td>{escape(name)}</td><td class="number">{count}</td>'
                f"<td>{escape(mistake.replace('_', ' '))}</td><td>{escape(says)}</td></tr>"
            )
    head = '<tr><th>question</th><th class="number">students</th><th>name</th><th>meaning</th></tr>'
    return f"<table>{head}{''.join(rows)}</table>" if rows else "<p>None.</p>"


def students(records, names):
    """Return the table of all students."""
    head = "".join(f'<th class="number">{escape(name)}</th>' for name in ["total", *names])
    rows = [f"<tr><th>student</th>{head}</tr>"]
    for record in records:
        entries = [record["results"][name]["points"] for name in names]
        cells = ["–" if points is None else f"{points:g}" for points in entries]
        cells = "".join(f'<td class="number">{c}</td>' for c in [f"{total(record):g}", *cells])
        rows.append(f"<tr><td>{escape(record['student'])}</td>{cells}</tr>")
    return f"<table>{''.join(rows)}</table>"


def picture(lesson, records, names):
    """Draw how the class did in each question; return the PNG and its caption."""
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    states = {"full": ("all points", "", "#009E73"), "part": ("some points", "..", "#56B4E9")}
    states |= {"none": ("no points", "//", "#D55E00"), "blank": ("not answered", "xx", "#E8E8E8")}
    states["open"] = ("still to be read", "", "#FFFFFF")
    with matplotlib.rc_context(fname=str(plots.STYLE)):
        figure = Figure(figsize=(7.2, 0.9 + 0.36 * len(names)))
        FigureCanvasAgg(figure)
        axes = figure.subplots()
        left = [0] * len(names)
        for key, (label, hatch, color) in states.items():
            widths = [sum(looks(r["results"][n]) == key for r in records) for n in names]
            if any(widths):
                axes.barh(
                    names, widths, left=left, label=label, hatch=hatch, color=color,
                    edgecolor="#333333", linewidth=0.6, height=0.7,
                )  # fmt: skip
            left = [a + b for a, b in zip(left, widths, strict=True)]
        axes.invert_yaxis()
        axes.set_xlabel("students")
        axes.set_xlim(0, len(records))
        axes.xaxis.get_major_locator().set_params(integer=True)
        axes.grid(axis="y", visible=False)
        axes.set_title("Who got the points")
        figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=5)
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png", metadata={"Software": None})
    rates = {n: sum(looks(r["results"][n]) == "full" for r in records) for n in lesson.questions}
    hard, easy = min(rates, key=rates.get), max(rates, key=rates.get)
    caption = (
        f"Stacked bars, one for each question: how many of {len(records)} students got all, some "
        f"or no points. Most often right: {easy} ({rates[easy]}); least often: {hard} "
        f"({rates[hard]})."
    )
    return buffer.getvalue(), caption


def looks(entry):
    """Return the part of the bar that a result belongs to."""
    return "blank" if entry["mistake"] == "blank" else state(entry)
