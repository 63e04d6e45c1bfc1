"""Admission control: how many searches run, how many calls wait for one, and in which order.

A call takes a *slot* for its search. Slots are given in order of arrival. At most ``queue`` calls wait;
the next one is refused at once, with a guess when it is worth to try again. Items of batch calls wait
*patiently*: their number is bounded by the batch itself, so they are never refused.
"""

from __future__ import annotations

import threading
import time
from collections import deque

from optimizer.service.errors import CancelledCallError, DeadlineError, QueueFullError, ShuttingDownError


class Waiter:
    """A call that waits for a slot, or has it. ``cancel`` makes it give up."""

    __slots__ = ("began", "cancelled", "granted", "ready", "waited")

    def __init__(self) -> None:
        self.ready: threading.Event | None = None  # made when it must wait, which is rare
        self.granted = False
        self.cancelled = False
        self.began = 0.0  # when it was given its slot, and how many seconds it waited for it
        self.waited = 0.0

    def cancel(self) -> None:
        """Give up waiting (harmless once the slot is granted)."""
        self.cancelled = True
        self.wake()

    def wake(self) -> None:
        """End the wait, if it has begun."""
        ready = self.ready
        if ready is not None:
            ready.set()


class Slot:
    """A slot, held for the length of a ``with`` block, which gives the seconds waited for it."""

    __slots__ = ("_admission", "_deadline", "_patient", "_waiter")

    def __init__(self, admission: Admission, waiter: Waiter, deadline: float | None, patient: bool) -> None:
        self._admission = admission
        self._waiter = waiter
        self._deadline = deadline
        self._patient = patient

    def __enter__(self) -> float:
        self._admission.take(self._waiter, self._deadline, patient=self._patient)
        return self._waiter.waited

    def __exit__(self, *_error: object) -> None:
        self._admission.give(self._waiter)


class Admission:
    """Slots for searches. All methods may be called from any thread."""

    def __init__(self, slots: int, queue: int) -> None:
        self._slots = slots
        self._queue = queue
        self._lock = threading.Lock()
        self._running = 0
        self._waiting: deque[Waiter] = deque()
        self._patient = 0
        self._closed = False
        self._mean_seconds = 0.05

    @property
    def running(self) -> int:
        """Slots taken."""
        return self._running

    @property
    def waiting(self) -> int:
        """Calls that wait."""
        return len(self._waiting)

    def slot(self, waiter: Waiter, deadline: float | None = None, *, patient: bool = False) -> Slot:
        """Return a slot to hold in a ``with`` block, which gives the seconds waited for it.

        To enter the block raises as :meth:`take`.
        """
        return Slot(self, waiter, deadline, patient)

    def close(self) -> None:
        """Refuse everybody from now on; who waits is sent away, who runs may finish."""
        with self._lock:
            self._closed = True
            for waiter in self._waiting:
                waiter.wake()

    def take(self, waiter: Waiter, deadline: float | None = None, *, patient: bool = False) -> None:
        """Take a slot, which must be given back by :meth:`give`.

        ``deadline`` is a time of :func:`time.monotonic`. Raises QueueFullError, DeadlineError,
        CancelledCallError or ShuttingDownError.
        """
        start = time.monotonic()
        with self._lock:
            if self._running < self._slots and not self._waiting and not self._closed:
                self._running += 1
                waiter.began = start
                return
            if self._closed:
                raise ShuttingDownError("the server is shutting down")
            if not patient and len(self._waiting) - self._patient >= self._queue:
                raise QueueFullError(self._guess())
            ready = waiter.ready = threading.Event()
            if waiter.cancelled:
                ready.set()
            self._waiting.append(waiter)
            self._patient += patient
        ready.wait(None if deadline is None else max(0.0, deadline - start))
        self._leave_queue(waiter, patient)
        waiter.began = time.monotonic()
        waiter.waited = waiter.began - start

    def give(self, waiter: Waiter) -> None:
        """Give a slot back."""
        seconds = time.monotonic() - waiter.began
        with self._lock:
            self._running -= 1
            self._mean_seconds += 0.1 * (seconds - self._mean_seconds)
            if self._waiting:
                self._wake()

    def _leave_queue(self, waiter: Waiter, patient: bool) -> None:
        """End a wait: with a slot, or raise why there is none."""
        with self._lock:
            if not waiter.granted:
                self._waiting.remove(waiter)
            self._patient -= patient
            if waiter.granted and not waiter.cancelled:
                return
            if waiter.granted:
                self._running -= 1
                self._wake()
            closed = self._closed
        if waiter.cancelled:
            raise CancelledCallError("the call was cancelled")
        if closed:
            raise ShuttingDownError("the server is shutting down")
        raise DeadlineError("the deadline passed before a search could begin")

    def _wake(self) -> None:
        """Grant free slots to the first who wait; the lock is held."""
        while self._waiting and self._running < self._slots:
            waiter = self._waiting.popleft()
            waiter.granted = True
            self._running += 1
            waiter.wake()

    def _guess(self) -> float:
        """Seconds until half the queue is likely served."""
        return min(30.0, max(0.1, self._mean_seconds * (len(self._waiting) / 2 + 1) / self._slots))
