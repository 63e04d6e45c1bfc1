"""Print the names of the native modules that have stubs, for stubtest."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    """One line, names separated by blanks."""
    packages = ("optimizer", "engine")
    stubs = [stub for package in packages for stub in (ROOT / package / "native").glob("*.pyi")]
    names = sorted(".".join(stub.relative_to(ROOT).with_suffix("").parts) for stub in stubs)
    sys.stdout.write(" ".join(names) + "\n")


if __name__ == "__main__":
    main()
