"""A server process on the loopback, for benchmarks and the soak."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from types import TracebackType

ROOT = Path(__file__).resolve().parent.parent


class ServerProcess:
    """``rheingold serve`` on a free port; use it in a ``with`` block.

    Its log goes to a file, not through this process: reading it would keep the interpreter from what is
    measured.
    """

    def __init__(self, *flags: str) -> None:
        paths = [str(ROOT), str(ROOT / "proto" / "generated"), os.environ.get("PYTHONPATH", "")]
        self._log = tempfile.NamedTemporaryFile("w", suffix=".log")  # noqa: SIM115 (lives as long as this)
        self.process = subprocess.Popen(
            [sys.executable, "-c", "from optimizer.service.cli import serve; serve()", "--port=0", *flags],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.match(r"serving on (\S+)", line)
        if found is None:
            raise RuntimeError(f"the server did not start: {''.join(self.log)}")
        self.target = found[1]

    @property
    def log(self) -> list[str]:
        """The log's lines so far."""
        return Path(self._log.name).read_text(encoding="utf-8").splitlines()

    def __enter__(self) -> ServerProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def memory_bytes(self) -> int:
        """Return the memory that the process holds now."""
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")

    def stop(self) -> int:
        """End the process with SIGTERM; returns its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(30)
