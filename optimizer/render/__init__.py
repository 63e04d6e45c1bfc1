"""Pictures of positions: the map as 18xx players know it, with the routes on it, as SVG.

>>> from optimizer.render import render
>>> svg = render(position, solution)  # doctest: +SKIP

The parts compose: :mod:`~optimizer.render.board` places the hexes, :mod:`~optimizer.render.layout` finds
where stops, track and texts of one tile go, :mod:`~optimizer.render.parts` and
:mod:`~optimizer.render.decor` draw them, :mod:`~optimizer.render.routes` and
:mod:`~optimizer.render.legend` add the routes, and :mod:`~optimizer.render.picture` puts it all together.
"""

from optimizer.render.options import Options, Symbols
from optimizer.render.picture import render

__all__ = ["Options", "Symbols", "render"]
