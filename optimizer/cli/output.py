"""Writing results, with a progress line above which they scroll while many positions are solved."""

from __future__ import annotations

import sys
from types import TracebackType

import click
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn


class Output:
    """Lines on standard output; on a terminal a progress line too, from the second position on.

    The progress line goes to stderr, so that results can be redirected.
    """

    def __init__(self) -> None:
        """Show progress only where a person can see it."""
        self._visible = sys.stderr.isatty()
        self._progress: Progress | None = None
        self._task = TaskID(0)
        self._done = 0
        self._unproven = 0

    def __enter__(self) -> Output:
        """Begin."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the progress line away."""
        if self._progress is not None:
            self._progress.stop()

    def line(self, text: str) -> None:
        """Write a line."""
        if self._progress is not None and sys.stdout.isatty():
            self._progress.console.print(text, markup=False, highlight=False, soft_wrap=True)
        else:
            click.echo(text)

    def solved(self, proven: bool) -> None:
        """Count a position."""
        self._done += 1
        self._unproven += not proven
        if not self._visible or self._done < 2:
            return
        if self._progress is None:
            self._progress = Progress(
                SpinnerColumn(),
                TextColumn("{task.completed} positions, {task.fields[unproven]} not proven"),
                TimeElapsedColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._task = self._progress.add_task("", total=None, unproven=0)
            self._progress.start()
        self._progress.update(self._task, completed=self._done, unproven=self._unproven)
