"""Keep the table of the service's settings in docs/service.md current.

python tools/document_settings.py            exit with 1 if it is not
python tools/document_settings.py --write    write it
"""

from __future__ import annotations

import argparse
import dataclasses
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "proto" / "generated")]

from optimizer.service.config import ServiceConfig, flag  # noqa: E402

PAGE = ROOT / "docs" / "service.md"
TABLE = re.compile(r"(?<=the flag wins\.\n\n).*?(?=\n\nThe server listens)", re.DOTALL)


def table() -> str:
    """Return the table of settings."""
    rows = [
        f"| `{flag(item.name)}` | {item.default or '-'} | {item.metadata['help']} |"
        for item in dataclasses.fields(ServiceConfig)
    ]
    return "\n".join(["| flag | default | |", "|---|---|---|", *rows])


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description="Keep the table of settings in docs/service.md current.")
    parser.add_argument("--write", action="store_true", help="write the table into the page")
    page = PAGE.read_text(encoding="utf-8")
    fresh = TABLE.sub(lambda _: table(), page)
    if parser.parse_args().write:
        PAGE.write_text(fresh, encoding="utf-8")
    elif page != fresh:
        sys.exit("the settings in docs/service.md are not current: run tools/document_settings.py --write")


if __name__ == "__main__":
    main()
