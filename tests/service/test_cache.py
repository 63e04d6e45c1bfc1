"""The result cache: bounded by memory, least recently used first out."""

from __future__ import annotations

from optimizer.service.cache import OVERHEAD, ResultCache


def test_least_recently_used_goes_first() -> None:
    cache = ResultCache(3 * (10 + OVERHEAD))
    for name in (b"a", b"b", b"c"):
        cache.put(name, name * 10)
    assert cache.get(b"a") == b"a" * 10  # now b is the oldest
    cache.put(b"d", b"d" * 10)
    assert cache.get(b"b") is None
    assert [cache.get(name) is not None for name in (b"a", b"c", b"d")] == [True, True, True]
    assert cache.size_bytes == 3 * (10 + OVERHEAD)


def test_size_is_counted_when_an_entry_is_replaced() -> None:
    cache = ResultCache(10_000)
    cache.put(b"a", b"x" * 100)
    cache.put(b"a", b"x" * 40)
    assert cache.size_bytes == 40 + OVERHEAD
    assert len(cache) == 1


def test_entry_larger_than_the_cache_is_not_kept() -> None:
    cache = ResultCache(1000)
    cache.put(b"small", b"x")
    cache.put(b"large", b"x" * 1000)
    assert cache.get(b"large") is None
    assert cache.get(b"small") == b"x"
