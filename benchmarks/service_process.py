"""A server process on the loopback, for benchmarks and the soak."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path
from types import TracebackType

ROOT = Path(__file__).resolve().parent.parent


class ServerProcess:
    """``rheingold serve`` on a free port; use it in a ``with`` block. ``log`` fills with its log lines."""

    def __init__(self, *flags: str) -> None:
        paths = [str(ROOT), str(ROOT / "proto" / "generated"), os.environ.get("PYTHONPATH", "")]
        self.process = subprocess.Popen(
            [sys.executable, "-c", "from optimizer.service.cli import serve; serve()", "--port=0", *flags],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.log: list[str] = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.match(r"serving on (\S+)", line)
        if found is None:
            raise RuntimeError(f"the server did not start: {''.join(self.log)}")
        self.target = found[1]

    def _read(self) -> None:
        assert self.process.stderr is not None
        self.log.extend(self.process.stderr)

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
        code = self.process.wait(30)
        self._reader.join(5)
        return code
