"""How a picture is to be drawn."""

from __future__ import annotations

from dataclasses import dataclass, field

from optimizer.render.geometry import ORIGIN, Point
from optimizer.render.svg import element, number


@dataclass
class Symbols:
    """Drawings that several pictures of one page share: written once, used by reference.

    Pass one collection to every :func:`~optimizer.render.picture.render` of a page and write
    :meth:`definitions` into the page once.
    """

    prefix: str = "s"
    _names: dict[str, str] = field(default_factory=dict)

    def use(self, markup: str, at: Point = ORIGIN) -> str:
        """Return a reference that draws this markup around a place; the same markup is kept once."""
        name = self._names.setdefault(markup, f"{self.prefix}{len(self._names)}")
        x, y = (number(at.x), number(at.y)) if at != ORIGIN else (None, None)
        return element("use", href=f"#{name}", x=x, y=y)

    def definitions(self) -> str:
        """Return all symbols as one hidden drawing."""
        # Each bears the class that the style sheet asks for: a reference doesn't see its surroundings.
        groups = "".join(
            element("g", markup, id=name, class_="rheingold") for markup, name in self._names.items()
        )
        return (
            '<svg class="rheingold" width="0" height="0" aria-hidden="true" focusable="false" '
            f'style="position:absolute"><defs>{groups}</defs></svg>'
        )


@dataclass(frozen=True)
class Options:
    """What to draw and how.

    ``crop``: only the hexes that the routes (or the company's tokens) touch, with their neighbours; with
    ``crop_to`` just these hexes and their neighbours. ``legend``: what each train earns, below the map.
    ``scale``: pixels per drawing unit (a hex is 200 units wide). ``prefix`` goes before every id, so that
    several drawings fit into one page. ``symbols``: write repeated parts there instead; the drawing then
    has no ids, and no style sheet of its own.
    """

    crop: bool = False
    crop_to: tuple[str, ...] = ()
    legend: bool = True
    coordinates: bool = True
    tile_numbers: bool = True
    scale: float = 0.5
    prefix: str = ""
    heading: str = ""
    symbols: Symbols | None = None
