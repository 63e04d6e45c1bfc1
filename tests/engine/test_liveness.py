from engine.liveness import live_flags


def entries(*specs):
    """Entries from "type" or ("type", action_id); ids count from 1."""
    result = []
    for number, spec in enumerate(specs, 1):
        kind, target = spec if isinstance(spec, tuple) else (spec, None)
        entry = {"type": kind, "id": number}
        if target is not None:
            entry["action_id"] = target
        result.append(entry)
    return result


def live_ids(*specs):
    return [number for number, flag in enumerate(live_flags(entries(*specs)), 1) if flag]


def test_plain_undo_kills_the_last_live_entry():
    assert live_ids("pass", "bid", "undo", "bid") == [1, 4]


def test_undo_to_an_id_kills_everything_after_it():
    assert live_ids("pass", "lay_tile", "pass", "run_routes", "pass", "undo", ("undo", 1), "pass") == [1, 8]


def test_undo_to_zero_kills_all_but_messages():
    assert live_ids("pass", "message", "pass", ("undo", 0)) == [2]


def test_redo_revives_the_newest_group():
    assert live_ids("pass", "pass", "undo", "redo") == [1, 2]
    assert live_ids("pass", "pass", "undo", "undo", "redo") == [1]


def test_an_action_clears_the_redo_memory_but_a_message_does_not():
    assert live_ids("pass", "pass", "undo", "pass", "redo") == [1, 4]
    assert live_ids("pass", "pass", "undo", "message", "redo") == [1, 2, 4]
