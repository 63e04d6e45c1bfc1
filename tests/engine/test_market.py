"""Price movement (common 4.9, 1861 section 6)."""

import pytest

from engine.core.market import Movement
from engine.player import new_game
from engine.titles.family1861.rules import FamilyMovement

GRID = new_game("1861", 3, 1)
COLUMN = new_game("1867", 3, 1)


def moved(game, movement, start, direction, corporation):
    cell = movement.moved(game.stock_market, game.stock_market.cell(start), corporation, direction)
    return cell.id


@pytest.mark.parametrize(
    ("kind", "start", "direction", "end"),
    [
        ("major", "110,1,3", "left", "100,2,3"),  # no cell to the left: down
        ("major", "35,9,0", "left", "35,9,0"),
        ("major", "540,0,18", "right", "540,0,18"),  # end of the top row: up, and from there nowhere
        ("major", "440,2,18", "right", "490,1,18"),
        ("major", "300,0,12", "up", "300,1,13"),  # a major leaves the top row diagonally
        ("minor", "150,0,5", "up", "150,0,5"),
        ("minor", "165,0,6", "right", "165,0,6"),  # ceiling, and row 0
        ("minor", "135,2,6", "right", "150,1,6"),  # on the ceiling a minor moves up
        ("major", "135,2,6", "right", "150,2,7"),
        ("major", "220,2,11", "down", "200,3,11"),
        ("major", "245,2,12", "down", "245,2,12"),  # the row below is shorter
        ("major", "100,5,6", "down", "100,5,6"),
        ("major", "110,1,3", "up", "110,1,3"),  # an empty corner
        ("major", "35,9,0", "down", "35,9,0"),
    ],
)
def test_grid_movement(kind, start, direction, end):
    corporation = next(c for c in (*GRID.corporations, *GRID.state.future) if c.kind == kind)
    assert moved(GRID, FamilyMovement(), start, direction, corporation) == end


@pytest.mark.parametrize(
    ("kind", "start", "direction", "end"),
    [
        ("major", "35,0,0", "left", "35,0,0"),
        ("major", "165,0,15", "right", "180,0,16"),
        ("major", "165,0,15", "up", "180,0,16"),
        ("major", "165,0,15", "down", "150,0,14"),
        ("minor", "165,0,15", "right", "165,0,15"),
        ("major", "540,0,27", "right", "540,0,27"),
    ],
)
def test_column_movement(kind, start, direction, end):
    corporation = next(c for c in (*COLUMN.corporations, *COLUMN.state.future) if c.kind == kind)
    assert moved(COLUMN, FamilyMovement(), start, direction, corporation) == end


def test_a_marker_queues_at_the_end_only_of_cells_it_enters():
    game = new_game("1861", 3, 1)
    market, movement = game.stock_market, Movement()
    first, second = game.corporations[:2]
    market.set_par(first, market.cell("100,4,5"))
    market.set_par(second, market.cell("100,4,5"))
    assert game.in_market_order([second, first]) == [first, second]
    movement.move(market, first, "right")
    movement.move(market, first, "left")
    assert game.in_market_order([second, first]) == [second, first]
    market.place(second, second.price)  # no move: keeps its place
    assert market.queue_position(second) == 0


def test_operating_order_is_price_then_column_then_row():
    game = new_game("1861", 3, 1)
    a, b, c = game.corporations[:3]
    for corporation, cell in ((a, "110,4,6"), (b, "110,1,3"), (c, "120,1,4")):
        game.stock_market.set_par(corporation, game.stock_market.cell(cell))
    assert game.in_market_order([a, b, c]) == [c, a, b]


def test_start_prices_by_kind():
    market = GRID.stock_market
    assert [c.price for c in market.par_cells("par_1", "par")] == [
        135, 120, 110, 100, 90, 80, 70, 65, 60, 55, 50,
    ]  # fmt: skip
    assert [c.price for c in market.par_cells("par_2", "par")] == [
        200, 180, 165, 150, 135, 120, 110, 100, 90, 80, 70,
    ]  # fmt: skip
