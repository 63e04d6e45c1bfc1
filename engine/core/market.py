"""The stock market: cells, queues of markers, and movement (rules: common 4.8 to 4.10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.core.state import Journal, Stateful
from engine.errors import UnknownNameError

if TYPE_CHECKING:
    from engine.core.corporation import Corporation


@dataclass(frozen=True, slots=True)
class Cell:
    """One price cell. The first of `types` is its main kind; row and column count from the top left."""

    price: int
    row: int
    column: int
    types: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return f"{self.price},{self.row},{self.column}"

    @property
    def main_type(self) -> str | None:
        return self.types[0] if self.types else None


class StockMarket(Stateful):
    """All cells and the markers in them. `queues` lists a cell's corporations in order of arrival.

    `pinned`: corporations whose markers do not move now, whatever happens.
    """

    __slots__ = ("cells", "pinned", "queues", "rows")
    rows: tuple[tuple[Cell | None, ...], ...]
    cells: dict[str, Cell]
    queues: dict[Cell, tuple[Corporation, ...]]
    pinned: frozenset[Corporation]

    def __init__(self, journal: Journal, rows: Sequence[Sequence[dict[str, Any] | None]]) -> None:
        super().__init__(journal)
        self.rows = tuple(
            tuple(
                None if cell is None else Cell(cell["price"], r, c, tuple(cell.get("types", ())))
                for c, cell in enumerate(row)
            )
            for r, row in enumerate(rows)
        )
        self.cells = {cell.id: cell for row in self.rows for cell in row if cell is not None}
        self.queues = {}
        self.pinned = frozenset()

    @property
    def one_row(self) -> bool:
        return len(self.rows) == 1

    def cell(self, cell_id: str) -> Cell:
        """The cell that an action names; raises UnknownNameError."""
        cell = self.cells.get(cell_id)
        if cell is None:
            raise UnknownNameError(f"the market has no cell {cell_id!r}")
        return cell

    def at(self, row: int, column: int) -> Cell | None:
        if 0 <= row < len(self.rows) and 0 <= column < len(self.rows[row]):
            return self.rows[row][column]
        return None

    def par_cells(self, *types: str) -> list[Cell]:
        """Cells of any of these kinds: price, then column, then row, all descending."""
        wanted = set(types)
        found = [cell for cell in self.cells.values() if wanted.intersection(cell.types)]
        return sorted(found, key=lambda cell: (-cell.price, -cell.column, -cell.row))

    def queue_position(self, corporation: Corporation) -> int:
        cell = corporation.price
        return self.queues[cell].index(corporation) if cell is not None else 0

    def place(self, corporation: Corporation, cell: Cell | None) -> None:
        """Moves the marker to the end of the cell's queue, or off the market; same cell: nothing happens."""
        old = corporation.price
        if old is cell:
            return
        queues = dict(self.queues)
        if old is not None:
            queues[old] = tuple([other for other in queues[old] if other is not corporation])
        if cell is not None:
            queues[cell] = (*queues.get(cell, ()), corporation)
        self.queues = queues
        corporation.price = cell

    def set_par(self, corporation: Corporation, cell: Cell) -> None:
        """The starting price."""
        corporation.par = cell
        self.place(corporation, cell)


class Movement:
    """How markers move on a two-dimensional market or a single row. Titles override single directions.

    Each method returns the cell reached from `cell`; the same cell means that nothing happens.
    """

    def right(self, market: StockMarket, cell: Cell, corporation: Corporation) -> Cell:
        if market.one_row:
            return market.at(0, cell.column + 1) or cell
        if cell.column + 1 >= len(market.rows[cell.row]):
            return self.up(market, cell, corporation)
        return market.at(cell.row, cell.column + 1) or cell

    def left(self, market: StockMarket, cell: Cell, corporation: Corporation) -> Cell:
        if market.one_row:
            return market.at(0, cell.column - 1) or cell
        return market.at(cell.row, cell.column - 1) or self.down(market, cell, corporation)

    def up(self, market: StockMarket, cell: Cell, corporation: Corporation) -> Cell:
        if market.one_row:
            return self.right(market, cell, corporation)
        return market.at(cell.row - 1, cell.column) or cell

    def down(self, market: StockMarket, cell: Cell, corporation: Corporation) -> Cell:
        if market.one_row:
            return self.left(market, cell, corporation)
        return market.at(cell.row + 1, cell.column) or cell

    def moved(
        self, market: StockMarket, cell: Cell, corporation: Corporation, direction: str, times: int = 1
    ) -> Cell:
        """Where `times` steps in `direction` (`left`, `right`, `up`, `down`) lead from `cell`."""
        step = getattr(self, direction)
        for _ in range(times):
            cell = step(market, cell, corporation)
        return cell

    def move(self, market: StockMarket, corporation: Corporation, direction: str, times: int = 1) -> None:
        """Moves the marker step by step, so that it queues again in every cell it really enters."""
        if corporation in market.pinned:
            return
        for _ in range(times):
            if corporation.price is None:
                return
            market.place(corporation, self.moved(market, corporation.price, corporation, direction))
