"""The asyncio client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import grpc
import pytest

from optimizer.service.client import AsyncClient, BatchItem, CallError
from optimizer.solution import Limits
from tests.service.conftest import Running
from tests.service.positions import line_map, titled


def test_all_methods(server: Running) -> None:
    async def items() -> AsyncIterator[BatchItem]:
        for number in range(1, 21):
            yield BatchItem(str(number), line_map(revenue=number))
            await asyncio.sleep(0)

    async def run() -> None:
        async with AsyncClient(server.target, timeout=20) as client:
            assert await client.serving()
            answer, bare = await asyncio.gather(client.optimize(line_map()), client.optimize(titled()))
            assert (answer.revenue, answer.proven, bare.revenue) == (40, True, 0)
            limited = await client.optimize(line_map(), Limits(cutoff=40))
            assert limited.message.better_than_cutoff is False
            verdict = await client.evaluate(line_map(), answer.run_routes())
            assert (verdict.legal, verdict.revenue) == (True, 40)
            assert len((await client.list_titles()).titles) == 4
            stream = [one async for one in client.optimize_stream(line_map(revenue=25))]
            assert (stream[-1].final, stream[-1].revenue) == (True, 50)
            found = {one.id: one.answer.revenue async for one in client.optimize_batch(items()) if one.answer}
            assert found == {str(number): 2 * number for number in range(1, 21)}
            listed = [one async for one in client.optimize_batch([BatchItem("a", line_map())])]
            assert [one.id for one in listed] == ["a"]

    asyncio.run(run())


def test_errors_carry_faults(server: Running) -> None:
    async def run() -> CallError:
        async with AsyncClient(server.target, timeout=20) as client:
            with pytest.raises(CallError) as caught:
                await client.optimize({"title": "1861", "phase": "99"}, request_id="mine")
            with pytest.raises(CallError):
                _ = [one async for one in client.optimize_stream({"title": "1861"})]
            return caught.value

    error = asyncio.run(run())
    assert (error.code, error.request_id) == (grpc.StatusCode.INVALID_ARGUMENT, "mine")
    assert "position.phase" in {fault.path for fault in error.faults}


def test_server_that_is_not_there(server: Running) -> None:
    async def run() -> None:
        async with AsyncClient("127.0.0.1:1") as client:
            assert not await client.serving(timeout=1)
            with pytest.raises(CallError) as caught:
                await client.optimize(line_map(), timeout=1)
            assert caught.value.code in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)

    asyncio.run(run())
