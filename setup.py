"""Builds the native modules; everything else is in pyproject.toml.

Environment: RHEINGOLD_SANITIZE=1 builds with address and undefined-behaviour sanitizers and with
bounds-checked Cython code.
"""

from __future__ import annotations

import os
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, find_packages, setup

SANITIZE = os.environ.get("RHEINGOLD_SANITIZE") == "1"


def extensions() -> list[Extension]:
    """One extension for each .pyx file of the native packages."""
    flags = ["-std=c++17", "-g1"]
    link: list[str] = []
    if SANITIZE:
        flags += ["-O1", "-fsanitize=address,undefined", "-fno-omit-frame-pointer"]
        link += ["-fsanitize=address,undefined"]
    else:
        flags += ["-O3", "-fno-math-errno"]
    return [
        Extension(
            ".".join(source.with_suffix("").parts),
            [str(source)],
            language="c++",
            extra_compile_args=flags,
            extra_link_args=link,
        )
        for source in sorted(Path("optimizer/native").glob("*.pyx"))
    ]


setup(
    options={"build_ext": {"parallel": os.cpu_count() or 1}},
    ext_modules=cythonize(
        extensions(),
        language_level=3,
        compiler_directives={
            "boundscheck": SANITIZE,
            "wraparound": False,
            "cdivision": True,
            "initializedcheck": SANITIZE,
            "embedsignature": True,
        },
        force=SANITIZE,
    ),
    packages=find_packages(include=["optimizer*", "engine*"])
    + ["optimizer.render.data", "optimizer.render.fonts", "optimizer.titles.data"]
    + [f"rheingold{'.' + name if name else ''}" for name in find_packages("proto/generated/rheingold")]
    + ["rheingold"],
    package_data={
        "optimizer": [
            "py.typed",
            "titles/data/*.json",
            "native/*.pyi",
            "native/*.pxd",
            "render/fonts/*",
            "render/data/*.json",
        ],
        "engine": ["py.typed"],
    },
)
