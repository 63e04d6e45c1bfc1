"""Calls over the wire: answers, statuses and their details."""

from __future__ import annotations

import grpc
import pytest
from google.rpc import code_pb2
from rheingold.v1 import optimizer_service_pb2 as pb
from rheingold.v1 import position_pb2, solve_pb2

from optimizer.custom.loading import load_rules
from optimizer.service import solver
from optimizer.service.client import CallError
from optimizer.solution import Limits
from optimizer.titles.registry import title_rules
from tests.service.conftest import Running, Serve
from tests.service.positions import line_map, titled


def refused(
    server: Running, position: position_pb2.Position, limits: solve_pb2.Limits | None = None
) -> CallError:
    """Return the error of a call that must fail."""
    with pytest.raises(CallError) as caught:
        server.client._unary(
            server.stub.Optimize, pb.OptimizeRequest(position=position, limits=limits), None, "my-id.1"
        )
    return caught.value


def test_best_routes_of_an_inline_map(server: Running) -> None:
    answer = server.client.optimize(line_map(revenue=20))
    # A1 and A3 at 20 each; the train visits two stops.
    assert (answer.revenue, answer.bound, answer.proven, answer.limit) == (40, 40, True, "")
    assert answer.message.id == "line"
    assert answer.message.company == "RED"
    assert [stop.amount for stop in answer.message.breakdown[0].stops] == [20, 20]


def test_routes_are_ready_for_a_run_routes_action(server: Running) -> None:
    (route,) = server.client.optimize(line_map()).run_routes()
    ends = [route["hexes"][0], route["hexes"][-1]]
    assert sorted(ends) == ["A1", "A3"]
    assert route["connections"] == [ends]
    assert route["nodes"] == [f"{hex_id}-0" for hex_id in ends]
    assert (route["train"], route["revenue"], route["revenue_str"]) == ("2-0", 40, "-".join(ends))


def test_position_without_routes_is_answered(server: Running) -> None:
    answer = server.client.optimize(titled())
    assert (answer.revenue, answer.proven, list(answer.message.routes)) == (0, True, [])


def test_library_solution_equals_the_message(server: Running) -> None:
    answer = server.client.optimize(line_map(), Limits(best=2))
    solution = answer.solution()
    assert (solution.revenue, solution.bound, solution.proven) == (40, 40, True)
    assert solution.routes[0].nodes == tuple(answer.message.routes[0].nodes)
    assert [found.revenue for found in solution.alternatives] == [
        found.revenue for found in answer.message.alternatives
    ]


def test_every_faulty_field_is_named_with_its_path(server: Running) -> None:
    position = titled()
    position.phase = "99"
    position.trains.add(id="2-0", name="no such train")
    position.hexes["ZZ99"].tile = "57"
    error = refused(server, position, solve_pb2.Limits(time=-1, best=-3))
    assert error.code is grpc.StatusCode.INVALID_ARGUMENT
    paths = {fault.path for fault in error.faults}
    assert {
        "position.phase",
        "position.trains[1].name",
        "position.hexes[ZZ99]",
        "limits.time",
        "limits.best",
    } <= paths
    assert error.request_id == "my-id.1"


def test_uncovered_rules_are_unimplemented_with_the_rules_name(server: Running) -> None:
    position = line_map()
    position.inline.rules.custom.add(name="east_west_bonus")
    error = refused(server, position)
    assert (error.code, error.rule) == (grpc.StatusCode.UNIMPLEMENTED, "east_west_bonus")
    position = line_map()
    position.inline.rules.exclusive.append("river")
    error = refused(server, position)
    assert (error.code, error.rule) == (grpc.StatusCode.UNIMPLEMENTED, "river")
    position = line_map()
    position.inline.hexes["A1"].definition.stops[0].kind = "halt"
    assert refused(server, position).rule == "halt"


def test_field_of_a_later_version_is_refused_not_ignored(server: Running) -> None:
    data = pb.OptimizeRequest(position=line_map()).SerializeToString()
    # Field 99 with the number 1 (tag 99 << 3 | 0 as a varint), inside position.inline.rules.
    rules = position_pb2.RouteRules.FromString(b"\x98\x06\x01")
    position = position_pb2.Position.FromString(line_map().SerializeToString())
    position.inline.rules.CopyFrom(rules)
    error = refused(server, position)
    assert error.code is grpc.StatusCode.UNIMPLEMENTED
    assert error.rule == "field 99 of rheingold.v1.RouteRules"
    assert "position.inline.rules" in error.message
    assert pb.OptimizeRequest.FromString(data).position.id == "line"


def test_bytes_that_are_no_message_are_an_invalid_argument(server: Running) -> None:
    call = server.channel.unary_unary("/rheingold.v1.RouteOptimizer/Optimize")
    with pytest.raises(grpc.RpcError) as caught:
        call(b"\xff\xff\xff\xff")
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert "rheingold.v1.OptimizeRequest" in caught.value.details()


def test_internal_error_says_nothing_but_the_request_id(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_args: object, **_kwargs: object) -> None:
        raise RuntimeError("secret path /etc/passwd")

    monkeypatch.setattr(solver, "optimize", broken)
    error = refused(server, line_map())
    assert (error.code, error.message) == (grpc.StatusCode.INTERNAL, "internal error in request my-id.1")


def test_oversized_requests_are_refused(serve: Serve) -> None:
    server = serve(max_message_bytes=20_000, max_hexes=10, max_trains=2)
    error = refused(server, line_map(cities=11))
    assert (error.code, error.faults[0].path) == (grpc.StatusCode.INVALID_ARGUMENT, "position.inline.hexes")
    position = line_map()
    for number in range(2):
        position.trains.add(id=f"2-{number + 1}", name="2", distance=2)
    assert refused(server, position).faults[0].path == "position.trains"
    position.id = "x" * 30_000
    assert refused(server, position).code is grpc.StatusCode.RESOURCE_EXHAUSTED


def test_identical_positions_are_answered_from_the_cache(server: Running) -> None:
    first = server.client.optimize(line_map())
    renamed = line_map()
    renamed.id = "another name"
    second = server.client.optimize(renamed, Limits(time=5))
    assert (first.cached, second.cached) == (False, True)
    assert second.message.id == "another name"
    second.message.id = first.message.id
    assert second.message == first.message
    assert not server.client.optimize(line_map(revenue=30)).cached
    assert not server.client.optimize(line_map(), Limits(cutoff=10)).cached


def test_cache_does_not_hide_faulty_limits(server: Running) -> None:
    server.client.optimize(line_map())
    assert refused(server, line_map(), solve_pb2.Limits(time=-1)).code is grpc.StatusCode.INVALID_ARGUMENT


def test_cache_can_be_switched_off(serve: Serve) -> None:
    server = serve(cache_bytes=0)
    assert [server.client.optimize(line_map()).cached for _ in range(2)] == [False, False]


def test_cutoff_is_answered(server: Running) -> None:
    # The best is 40: more than 39, not more than 40.
    assert server.client.optimize(line_map(), Limits(cutoff=39)).message.better_than_cutoff
    message = server.client.optimize(line_map(), Limits(cutoff=40)).message
    assert message.HasField("better_than_cutoff")
    assert not message.better_than_cutoff


def test_fixed_routes_use_up_their_track(server: Running) -> None:
    position = line_map(cities=3)
    position.trains.add(id="2-1", name="2", distance=2)
    fixed = server.client.optimize(line_map()).run_routes()
    answer = server.client.optimize(position, fixed=fixed)
    # The other train would need the side between A1 and A3, which is taken: only the fixed route runs.
    assert answer.revenue == 40
    assert [route.train for route in answer.message.routes] == ["2-0"]


def test_evaluate_prices_legal_routes(server: Running) -> None:
    routes = server.client.optimize(line_map()).run_routes()
    verdict = server.client.evaluate(line_map(), routes)
    assert (verdict.legal, verdict.revenue, list(verdict.faults)) == (True, 40, [])


def test_evaluate_says_why_not(server: Running) -> None:
    position = line_map(cities=3)
    beyond = {"train": "2-0", "connections": [["A3", "A5"]], "nodes": ["A3-0", "A5-0"]}
    verdict = server.client.evaluate(position, [beyond])
    assert not verdict.legal
    assert {fault.rule for fault in verdict.faults} == {"no_token"}
    assert verdict.faults[0].route == 0


def test_evaluate_refuses_nonsense_with_paths(server: Running) -> None:
    with pytest.raises(CallError) as caught:
        server.client.evaluate(line_map(), [{"train": "", "connections": [[1]], "nodes": ["A1"]}])
    paths = [fault.path for fault in caught.value.faults]
    assert paths == ["routes[0].train", "routes[0].connections[0]", "routes[0].nodes[0]"]


def test_titles_are_listed(server: Running) -> None:
    response = server.client.list_titles()
    titles = {title.name: title for title in response.titles}
    assert set(titles) == {"1861", "1867", "1856", "18Rhl"}
    assert "5+5E" in {train.name for train in titles["1861"].trains}
    # 1856 has an 8 and its phase with the eight_train_variant only: it comes last
    assert [train.name for train in titles["1856"].trains] == ["2", "3", "4", "5", "6", "D", "8"]
    assert list(titles["1856"].phases) == ["2", "3", "4", "5", "6", "D", "8"]
    assert "same_hex_once" in titles["1867"].rules
    assert "ratingen_variant" in titles["18Rhl"].optional_rules
    assert {"same_hex_once", "bonuses.scope", "ferry.crossing"} <= set(response.rules)


def test_list_titles_tells_the_switches(server: Running) -> None:
    """All that positions of a title may set, with the default first, and each is taken."""
    for title in server.client.list_titles().titles:
        known = title_rules(title.name).switches
        assert {one.name: tuple(one.values) for one in title.switches} == {
            name: switch.values for name, switch in known.items()
        }
        assert all(one.description for one in title.switches)
    assert any(title.switches for title in server.client.list_titles().titles)


def test_stream_ends_with_the_final_answer(server: Running) -> None:
    answers = list(server.client.optimize_stream(line_map()))
    assert [answer.final for answer in answers] == [False] * (len(answers) - 1) + [True]
    assert (answers[-1].revenue, answers[-1].proven) == (40, True)
    assert all(answer.bound >= 40 for answer in answers)


def test_stream_refuses_like_a_single_call(server: Running) -> None:
    with pytest.raises(CallError) as caught:
        list(server.client.optimize_stream(position_pb2.Position()))
    assert caught.value.code is grpc.StatusCode.INVALID_ARGUMENT
    assert caught.value.faults


def test_status_numbers_are_the_standard_ones() -> None:
    assert grpc.StatusCode.INVALID_ARGUMENT.value[0] == code_pb2.INVALID_ARGUMENT


def test_figures_beyond_32_bits_are_refused(server: Running) -> None:
    position = line_map(cities=40, revenue=1_000_000)
    position.trains[0].distance = 40
    position.trains[0].multiplier = 20
    # 40 cities at 20 million each are 800 million.
    assert server.client.optimize(position).revenue == 800_000_000
    position.trains[0].multiplier = 100  # 4,000 million
    error = refused(server, position)
    assert error.code is grpc.StatusCode.INVALID_ARGUMENT
    assert [fault.path for fault in error.faults] == ["position.inline"]


def test_rules_written_in_python_are_named_by_requests(server: Running) -> None:
    load_rules(["optimizer.custom.examples.east_west"])
    position = line_map()
    rules = position.inline.rules
    rules.counters.add(name="east", hexes=["A1"])
    rules.counters.add(name="west", hexes=["A3"])
    rules.custom.add(name="1846 east-west")
    answer = server.client.optimize(position)
    # 20 and 20, and 30 more at each end for going from east to west.
    assert (answer.revenue, answer.proven) == (100, True)
    assert server.client.evaluate(position, answer.run_routes()).revenue == 100
    rules.custom[0].parameters["surprise"] = 1
    error = refused(server, position)
    assert (error.code, error.faults[0].path) == (
        grpc.StatusCode.INVALID_ARGUMENT,
        "position.inline.rules.custom[0].parameters",
    )
