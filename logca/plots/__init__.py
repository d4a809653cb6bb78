"""Pictures of the model: the figures of altaf2017 redrawn from its data, and any accelerator's.

`logca.plots.drawing` says what is drawn, as data; `logca.plots.render.draw` draws it with
matplotlib, which only then is loaded; `logca.plots.render.picture` makes a file of it.

Examples
--------
>>> from logca.plots.paper import paper_figure
>>> drawing = paper_figure("fig11")
>>> [(panel.letter, panel.title) for panel in drawing.panels]
[('a', 'Discrete GPU'), ('b', 'APU'), ('c', 'HSA GPU')]
"""
