"""A small lesson in text form, with every kind of output, for the tests of the machinery."""

HEADER = """\
---
jupytext:
  notebook_metadata_filter: -jupytext.text_representation.jupytext_version
  text_representation:
    extension: .md
    format_name: myst
    format_version: 0.13
kernelspec:
  display_name: Python 3 (ipykernel)
  language: python
  name: python3
---
"""

LESSON = (
    HEADER
    + """
# Sample lesson

Some words.

```{code-cell} ipython3
import matplotlib.pyplot as plt

from mlcourse.plots import figure_slider, show, use_style

use_style()
half = 1 / 2
print(f"{half:.3f}")
```

## A section

The half is {{ half:.2f }}, and $\\\\frac{1}{2}$ is the same. See [above](#Sample-lesson).

```{code-cell} ipython3
fig, axis = plt.subplots(figsize=(3, 2))
axis.plot([0, 1], [0, half], "o-")
show(fig, "Line chart: a sample line that rises to one half.")
```

+++ {"slideshow": {"slide_type": "skip"}}

More words.

```{code-cell} ipython3
def draw(value):
    fig, axis = plt.subplots(figsize=(2, 1))
    axis.plot([0, 1], [0, value])
    axis.set(ylim=(0, 1))
    return fig


figure_slider(draw, [0.2, 0.8], "Line chart with a slider: the line moves up.", name="end")
```

```{code-cell} ipython3
:tags: [raises-exception]

1 / 0
```
""".replace("\\\\frac", "\\frac")
)
