"""Who may search, who waits, who is sent away."""

from __future__ import annotations

import threading
import time

import pytest

from optimizer.service.admission import Admission, Waiter
from optimizer.service.errors import CancelledCallError, DeadlineError, QueueFullError, ShuttingDownError


class Holder:
    """Threads that hold a slot, in the order in which they got one."""

    def __init__(self, admission: Admission) -> None:
        self.admission = admission
        self.order: list[str] = []
        self.errors: dict[str, Exception] = {}
        self.leave = {}
        self.waiters: dict[str, Waiter] = {}
        self.threads: list[threading.Thread] = []

    def start(self, name: str, deadline: float | None = None, patient: bool = False) -> None:
        self.leave[name] = threading.Event()
        self.waiters[name] = Waiter()
        before = self.admission.running + self.admission.waiting + len(self.errors)

        def run() -> None:
            try:
                with self.admission.slot(self.waiters[name], deadline, patient=patient):
                    self.order.append(name)
                    self.leave[name].wait(10)
            except Exception as error:
                self.errors[name] = error

        self.threads.append(threading.Thread(target=run))
        self.threads[-1].start()
        until(lambda: self.admission.running + self.admission.waiting + len(self.errors) > before)

    def join(self) -> None:
        for event in self.leave.values():
            event.set()
        for thread in self.threads:
            thread.join(60)
            assert not thread.is_alive()


def until(condition: object, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.001)


def test_slots_are_given_in_order_of_arrival() -> None:
    admission = Admission(slots=1, queue=10)
    holder = Holder(admission)
    for name in ("first", "second", "third"):
        holder.start(name)
    assert (admission.running, admission.waiting) == (1, 2)
    holder.leave["first"].set()
    until(lambda: holder.order == ["first", "second"])
    holder.join()
    assert holder.order == ["first", "second", "third"]
    assert (admission.running, admission.waiting) == (0, 0)


def test_full_queue_refuses_at_once_with_a_hint() -> None:
    admission = Admission(slots=1, queue=1)
    holder = Holder(admission)
    holder.start("runs")
    holder.start("waits")
    with pytest.raises(QueueFullError) as caught, admission.slot(Waiter()):
        pass
    assert 0 < caught.value.retry_seconds <= 30
    holder.join()


def test_patient_calls_wait_beside_the_queue() -> None:
    admission = Admission(slots=1, queue=1)
    holder = Holder(admission)
    holder.start("runs")
    holder.start("patient", patient=True)
    holder.start("also patient", patient=True)
    holder.start("waits")  # the queue has room for it, the patient do not count
    assert not holder.errors
    with pytest.raises(QueueFullError), admission.slot(Waiter()):
        pass
    holder.join()
    assert holder.order == ["runs", "patient", "also patient", "waits"]


def test_deadline_ends_the_wait() -> None:
    admission = Admission(slots=1, queue=5)
    holder = Holder(admission)
    holder.start("runs")
    with pytest.raises(DeadlineError), admission.slot(Waiter(), time.monotonic() + 0.02):
        pass
    assert admission.waiting == 0
    holder.join()


def test_cancelled_waiter_gives_up_and_the_next_one_gets_the_slot() -> None:
    admission = Admission(slots=1, queue=5)
    holder = Holder(admission)
    for name in ("runs", "leaves", "stays"):
        holder.start(name)
    holder.waiters["leaves"].cancel()
    until(lambda: "leaves" in holder.errors)
    assert isinstance(holder.errors["leaves"], CancelledCallError)
    holder.join()
    assert holder.order == ["runs", "stays"]


def test_closing_sends_the_waiting_away_and_lets_the_running_end() -> None:
    admission = Admission(slots=1, queue=5)
    holder = Holder(admission)
    holder.start("runs")
    holder.start("waits")
    admission.close()
    until(lambda: "waits" in holder.errors)
    assert isinstance(holder.errors["waits"], ShuttingDownError)
    with pytest.raises(ShuttingDownError), admission.slot(Waiter()):
        pass
    holder.join()
    assert holder.order == ["runs"]


def test_many_threads_never_hold_more_than_the_slots() -> None:
    admission = Admission(slots=3, queue=1000)
    held, most, lock = [0], [0], threading.Lock()

    def run() -> None:
        for _ in range(30):
            with admission.slot(Waiter()):
                with lock:
                    held[0] += 1
                    most[0] = max(most[0], held[0])
                time.sleep(0.0002)
                with lock:
                    held[0] -= 1

    threads = [threading.Thread(target=run) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert most[0] == 3
    assert (admission.running, admission.waiting) == (0, 0)
