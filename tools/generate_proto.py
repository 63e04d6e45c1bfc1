"""Generate Python code from the .proto files into proto/generated.

    python tools/generate_proto.py           write the generated code
    python tools/generate_proto.py --check   exit with 1 if the committed code is not current

Needs grpcio-tools and mypy-protobuf (extra ``dev``).
"""

from __future__ import annotations

import argparse
import filecmp
import sys
import tempfile
from importlib import resources
from pathlib import Path

from grpc_tools import protoc

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "proto"
TARGET = SOURCE / "generated"


def generate(target: Path) -> list[Path]:
    """Generate everything below ``target``; returns the written files, relative to it."""
    files = sorted(str(file.relative_to(SOURCE)) for file in (SOURCE / "rheingold").rglob("*.proto"))
    status = protoc.main(
        [
            "protoc",
            f"-I{SOURCE}",
            f"-I{resources.files('grpc_tools') / '_proto'}",
            f"--plugin=protoc-gen-mypy={Path(sys.executable).with_name('protoc-gen-mypy')}",
            f"--plugin=protoc-gen-mypy_grpc={Path(sys.executable).with_name('protoc-gen-mypy_grpc')}",
            f"--python_out={target}",
            f"--grpc_python_out={target}",
            f"--mypy_out=quiet:{target}",
            f"--mypy_grpc_out=quiet:{target}",
            *files,
        ]
    )
    if status != 0:
        raise SystemExit(status)
    return sorted(
        file.relative_to(target) for file in target.rglob("*_pb2*.py*") if "__pycache__" not in file.parts
    )


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "--check", action="store_true", help="only tell whether the committed code is current"
    )
    if not parser.parse_args().check:
        generate(TARGET)
        return
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder)
        wanted = generate(fresh)
        stale = [
            file
            for file in wanted
            if not (TARGET / file).is_file() or not filecmp.cmp(fresh / file, TARGET / file, shallow=False)
        ]
    committed = {
        file.relative_to(TARGET) for file in TARGET.rglob("*_pb2*.py*") if "__pycache__" not in file.parts
    }
    stale += sorted(committed - set(wanted))
    if stale:
        names = ", ".join(str(file) for file in stale)
        sys.exit(f"generated code is not current, run tools/generate_proto.py: {names}")


if __name__ == "__main__":
    main()
