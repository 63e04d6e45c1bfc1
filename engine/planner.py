"""Who answers when an operating round asks for the best routes: the optimizer here or a service."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from optimizer.model.position import Position, Route
from optimizer.solution import Limits, Solution


class RoutePlanner(Protocol):
    """Finds the best routes of a position, honouring routes that are fixed already."""

    def best_routes(
        self, position: Position, *, fixed: Sequence[Route] = (), limits: Limits | None = None
    ) -> Solution:
        """The best set of routes, with its bound and whether it is proven."""


class LocalPlanner:
    """The optimizer in this process."""

    def best_routes(
        self, position: Position, *, fixed: Sequence[Route] = (), limits: Limits | None = None
    ) -> Solution:
        """The best set of routes. Raises ValueError for fixed routes that are not legal."""
        from optimizer.solve import optimize  # native code: loaded when first needed

        return optimize(position, limits, fixed=fixed)


class RemotePlanner:
    """A route optimizer service at `address` (`host:port`). Close it, or use it in a `with` block."""

    def __init__(self, address: str, *, token: str = "", timeout: float | None = None) -> None:
        from optimizer.service.client.sync import Client  # gRPC: loaded when first needed

        self._client = Client(address, token=token, timeout=timeout)

    def __enter__(self) -> RemotePlanner:
        return self

    def __exit__(self, *reason: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connection."""
        self._client.close()

    def best_routes(
        self, position: Position, *, fixed: Sequence[Route] = (), limits: Limits | None = None
    ) -> Solution:
        """The best set of routes. Raises CallError when the service refuses or cannot be reached."""
        return self._client.optimize(position, limits, fixed=fixed).solution()


def planner_for(address: str | None) -> RoutePlanner:
    """The planner at an address, or the one in this process."""
    return LocalPlanner() if address is None else RemotePlanner(address)
