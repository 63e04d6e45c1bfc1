"""Small positions for the service's tests, with revenues that can be counted by hand."""

from __future__ import annotations

from rheingold.v1 import position_pb2 as pb


def line_map(company: str = "RED", cities: int = 2, revenue: int = 20) -> pb.Position:
    """A straight line A1, A3, A5, ... of cities paying ``revenue``; the company's token is in A1.

    Flat layout: side 0 leads to the next number, side 3 back. One train that visits two stops, so the
    best route is A1 and A3: twice ``revenue``.
    """
    hexes = {}
    for index in range(cities):
        paths = []
        if index + 1 < cities:
            paths.append(pb.Path(a=pb.PathEnd(edge=0), b=pb.PathEnd(stop=0)))
        if index:
            paths.append(pb.Path(a=pb.PathEnd(edge=3), b=pb.PathEnd(stop=0)))
        city = pb.Stop(kind="city", revenue=revenue, slots=1)
        tokens = [pb.Token(stop=0, slot=0, company=company)] if index == 0 else []
        tile = pb.Tile(color="yellow", stops=[city], paths=paths)
        hexes[f"A{2 * index + 1}"] = pb.InlineHex(definition=tile, tokens=tokens)
    return pb.Position(
        id="line",
        inline=pb.InlineMap(layout="flat", phase_colors=["yellow"], hexes=hexes),
        company=company,
        trains=[pb.Train(id="2-0", name="2", distance=2)],
    )


def titled() -> pb.Position:
    """An 1861 position without any track laid: nothing can be run."""
    return pb.Position(
        id="bare", title="1861", phase="2", company="KK", trains=[pb.Train(id="2-0", name="2")]
    )
