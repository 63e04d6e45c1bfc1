"""The service's log: lines come when they can be written, and nothing waits for them."""

from __future__ import annotations

import io
import json
import logging
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from optimizer.service import logs
from tests.service.test_admission import until

ROOT = Path(__file__).resolve().parents[2]


class Stream(io.StringIO):
    """A stream that can break."""

    broken = False

    def write(self, text: str) -> int:
        if self.broken:
            raise OSError(28, "No space left on device")
        return super().write(text)


@pytest.fixture
def stream() -> Iterator[Stream]:
    found = Stream()
    logs.set_up("info", worker=1, stream=found)
    yield found
    found.broken = False
    logs.tear_down()


def events(stream: Stream) -> list[str]:
    return [json.loads(line)["event"] for line in stream.getvalue().splitlines()]


def test_a_stream_that_breaks_loses_lines_only(stream: Stream) -> None:
    stream.broken = True
    for number in range(3 * logs.MAX_WAITING):
        logs.log(logging.ERROR if number % 1000 == 0 else logging.INFO, "lost")
    assert logs._writer is not None
    assert len(logs._writer._waiting) <= logs.MAX_WAITING
    until(lambda: not logs._writer or not logs._writer._waiting)
    stream.broken = False
    logs.log(logging.INFO, "written")
    until(lambda: events(stream)[-1:] == ["written"])


def test_errors_come_with_their_traceback_and_values_of_any_kind(stream: Stream) -> None:
    try:
        raise ValueError("what happened")
    except ValueError as error:
        logs.log(logging.ERROR, "internal error", error=error, path=Path("x"), text="t" * 1000)
    until(lambda: events(stream) == ["internal error"])
    row = json.loads(stream.getvalue())
    assert row["traceback"].endswith("ValueError: what happened")
    assert (row["path"], len(row["text"]), row["worker"], row["level"]) == ("x", logs.MAX_TEXT, 1, "error")


def test_half_a_character_costs_no_line(stream: Stream) -> None:
    for text in ("one", "half \ud800", "two"):
        logs.log(logging.INFO, "call", text=text)
    until(lambda: len(events(stream)) == 3)
    texts = [json.loads(line)["text"] for line in stream.getvalue().splitlines()]
    assert texts == ["one", "half \\ud800", "two"]


def test_levels_below_the_set_one_are_left_out(stream: Stream) -> None:
    logs.log(logging.DEBUG, "small")
    logs.log(logging.WARNING, "large")
    until(lambda: events(stream) == ["large"])


def test_without_set_up_events_go_to_the_logger(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="rheingold.service"):
        logs.log(logging.INFO, "told", company="N")
    assert [record.getMessage() for record in caplog.records] == ["told"]
    assert caplog.records[0].fields == {"company": "N"}  # type: ignore[attr-defined]


SCRIPT = """
import logging
from optimizer.service import logs
logs.set_up("info")
for number in range(2000):
    logs.log(logging.INFO, "line", text="x" * 300)
logs.log(logging.ERROR, "end")
"""


def test_a_process_ends_though_nobody_reads_its_log() -> None:
    """2,000 lines of 300 characters are more than any pipe holds."""
    reader, writer = os.pipe()
    paths = os.pathsep.join([str(ROOT), str(ROOT / "proto" / "generated")])
    try:
        start = time.monotonic()
        process = subprocess.run(
            [sys.executable, "-c", SCRIPT], stderr=writer, env={**os.environ, "PYTHONPATH": paths}, timeout=30
        )
        assert process.returncode == 0
        assert time.monotonic() - start < 20
    finally:
        os.close(reader)
        os.close(writer)


def test_a_process_without_standard_error_logs_nowhere() -> None:
    paths = os.pathsep.join([str(ROOT), str(ROOT / "proto" / "generated")])
    script = SCRIPT.replace('logs.set_up("info")', 'import sys; sys.stderr = None; logs.set_up("info")')
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": paths},
        timeout=30,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
