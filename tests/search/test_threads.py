"""Work in several threads."""

from __future__ import annotations

from threading import Barrier, Event, get_ident

import pytest

from phil.search.threads import in_threads


def test_work_is_done_in_so_many_threads_at_once() -> None:
    together, met = Barrier(3, timeout=30), set()

    def work() -> None:
        together.wait()
        met.add(get_ident())

    in_threads(3, work, lambda: None)
    assert len(met) == 3
    assert get_ident() in met


@pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError])
def test_an_error_in_one_thread_stops_the_others(error: type[BaseException]) -> None:
    stopped, began = Event(), Barrier(2, timeout=30)
    here = get_ident()

    def work() -> None:
        began.wait()
        if get_ident() == here:
            raise error
        assert stopped.wait(30)

    with pytest.raises(error):
        in_threads(2, work, stopped.set)
