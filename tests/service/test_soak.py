"""A short form of the soak (tools/soak.py)."""

from __future__ import annotations

import pytest

from tools.soak import MIX, report, run


@pytest.mark.timeout(240)
def test_short_soak() -> None:
    # How fast health is answered depends on what else the machine does: the tool itself asserts 50 ms.
    soak = run(calls=600, connections=4, seed=2, health_seconds=2.0)
    assert not soak.wrong, report(soak, 0.0)
    assert soak.done == 600
    assert {name.partition(":")[0] for name in soak.outcomes} == set(MIX)
