"""Typed clients of the service: :class:`Client` and, for asyncio, :class:`AsyncClient`."""

from optimizer.service.client.aio import AsyncClient
from optimizer.service.client.messages import Answer, BatchAnswer, BatchItem, CallError
from optimizer.service.client.sync import Client

__all__ = ["Answer", "AsyncClient", "BatchAnswer", "BatchItem", "CallError", "Client"]
