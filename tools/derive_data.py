"""Derive the project's data files from a folder of facts.

    python tools/derive_data.py FACTS_DIR

Writes optimizer/titles/data/*.json: one line per hex, tile, company and train, empty fields left out.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

OUT = Path(__file__).resolve().parent.parent / "optimizer" / "titles" / "data"
TITLES = ("1861", "1867", "1856", "18rhl")
ONE_LINE_EACH = ("hexes", "tiles", "companies", "corporations", "trains", "phases", "market", "variants")


def clean(value: Any) -> Any:
    """Leave out what says nothing, and write flags as booleans."""
    if isinstance(value, dict):
        rows = {key: clean(item) for key, item in value.items() if key not in ("x", "y")}
        if "terminal" in rows:
            rows["terminal"] = True
        if rows.get("track") == "narrow" and "stop" in rows["a"] and "stop" in rows["b"]:
            del rows["track"]
            rows["ferry"] = True
        return {key: item for key, item in rows.items() if item is not None}
    if isinstance(value, list):
        return [clean(item) for item in value]
    return value


def dump(data: dict[str, Any]) -> str:
    """Write JSON with a line for each thing that a person would look up."""
    lines = []
    for key, value in data.items():
        if key in ONE_LINE_EACH and isinstance(value, dict):
            rows = [f"  {json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in value.items()]
            lines.append(f" {json.dumps(key)}: {{\n" + ",\n".join(rows) + "\n }")
        elif key in ONE_LINE_EACH:
            rows = [f"  {json.dumps(row, ensure_ascii=False)}" for row in value]
            lines.append(f" {json.dumps(key)}: [\n" + ",\n".join(rows) + "\n ]")
        else:
            lines.append(f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main() -> None:
    """Write the data files."""
    facts = Path(sys.argv[1])
    for title in TITLES:
        data = clean(json.loads((facts / f"{title}.json").read_text()))
        ratingen = data.get("variants", {}).get("ratingen_variant")
        if ratingen:
            # The only printed tile whose stop does not come first among its parts.
            ratingen["hexes"]["E10"]["stops"][0]["part"] = 3
        (OUT / f"{title}.json").write_text(dump(data))
    tiles = clean(json.loads((facts / "tiles-standard.json").read_text()))
    (OUT / "tiles-standard.json").write_text(dump({"tiles": tiles}))


if __name__ == "__main__":
    main()
