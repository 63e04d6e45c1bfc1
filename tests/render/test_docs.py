"""The picture in README is what the code draws."""

from __future__ import annotations

from pathlib import Path

from optimizer.render import Options, render
from optimizer.solve import optimize
from optimizer.titles import loads

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "pictures"


def test_the_first_picture_is_up_to_date() -> None:
    """If not: look at the new one, then make it as docs/pictures/README.md says."""
    position = loads((PICTURES / "rhine.json").read_bytes())
    svg = render(position, optimize(position), Options(scale=0.6))
    assert (PICTURES / "rhine.svg").read_text(encoding="utf-8") == f"{svg}\n"
