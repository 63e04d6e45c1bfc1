from engine.core.state import Journal, Stateful, copy_graph, fingerprint


class Node(Stateful):
    __slots__ = ("friends", "name", "table")

    def __init__(self, journal, name):
        super().__init__(journal)
        self.name = name
        self.friends = ()
        self.table = {}


def pair():
    journal = Journal()
    a, b = Node(journal, "a"), Node(journal, "b")
    a.friends, b.friends = (b,), (a,)
    a.table = {b: 1}
    journal.entries.clear()
    return journal, a, b


def test_rollback_restores_every_attribute():
    journal, a, b = pair()
    before = fingerprint(a)
    mark = journal.mark()
    a.name = "c"
    a.name = "d"
    b.friends = ()
    a.table = {**a.table, a: 2}
    assert fingerprint(a) != before
    journal.rollback(mark)
    assert fingerprint(a) == before
    assert (a.name, b.friends, a.table) == ("a", (a,), {b: 1})


def test_rollback_to_an_inner_mark_keeps_what_came_before_it():
    journal, a, _ = pair()
    a.name = "first"
    mark = journal.mark()
    a.name = "second"
    journal.rollback(mark)
    assert a.name == "first"


def test_assigning_the_same_object_is_no_change():
    journal, a, b = pair()
    a.friends = a.friends
    assert journal.mark() == 0
    assert b.name == "b"


def test_a_copy_shares_nothing_that_changes():
    _, a, b = pair()
    twin = copy_graph(a)
    assert fingerprint(twin) == fingerprint(a)
    assert twin.friends[0].friends[0] is twin
    assert list(twin.table) == [twin.friends[0]]
    twin.friends[0].name = "x"
    assert b.name == "b"
    assert a.journal is not twin.journal
