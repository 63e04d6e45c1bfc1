"""The picture in README is what the code draws."""

from __future__ import annotations

from pathlib import Path

from optimizer.evaluate import evaluate, priced_routes
from optimizer.model.route_io import routes_from_data
from optimizer.render import Options, render
from optimizer.solution import Solution
from optimizer.solve import optimize
from optimizer.titles import load_positions

PICTURES = Path(__file__).resolve().parents[2] / "docs" / "pictures"


def test_the_first_picture_is_up_to_date_and_shows_the_best_routes() -> None:
    """If not: look at the new one, then make it as docs/pictures/README.md says."""
    (item,) = load_positions(PICTURES / "rhine.json")
    assert item.position is not None
    # The routes are kept beside the position: other sets may earn as much.
    evaluation = evaluate(item.position, routes_from_data(item.routes["routes"], "routes"))
    best = optimize(item.position)
    assert evaluation.legal
    assert best.proven
    assert evaluation.revenue == best.revenue
    shown = Solution(priced_routes(evaluation), best.revenue, best.bound, True, breakdown=evaluation)
    svg = render(item.position, shown, Options(scale=0.6))
    assert (PICTURES / "rhine.svg").read_text(encoding="utf-8") == f"{svg}\n"
