"""Typed actions that read and write the public 18xx.games JSON (rules: common 2.1 and 2.3).

Unknown fields are ignored; fields that are absent by default are left out when writing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import msgspec

from engine.errors import ActionSyntaxError

EntityId = int | str


class Action(msgspec.Struct, kw_only=True, omit_defaults=True):
    """The envelope common to all actions."""

    type_name: ClassVar[str] = ""
    free: ClassVar[bool] = False  # allowed at any time, never ends a turn

    entity: EntityId
    entity_type: str
    id: int | None = None
    user: EntityId | None = None
    created_at: int | float | None = None
    auto_actions: list[Action] = []


class Pass(Action, kw_only=True):
    type_name = "pass"


class Bid(Action, kw_only=True):
    type_name = "bid"
    price: int
    company: str | None = None
    corporation: str | None = None


class Par(Action, kw_only=True):
    type_name = "par"
    corporation: str
    share_price: str


class BuyShares(Action, kw_only=True):
    type_name = "buy_shares"
    shares: list[str]
    percent: int | None = None


class SellShares(Action, kw_only=True):
    type_name = "sell_shares"
    shares: list[str]
    percent: int | None = None


class BuyCompany(Action, kw_only=True):
    type_name = "buy_company"
    company: str
    price: int


class LayTile(Action, kw_only=True):
    type_name = "lay_tile"
    hex: str
    tile: str
    rotation: int


class PlaceToken(Action, kw_only=True):
    type_name = "place_token"
    city: str
    slot: int | None = None
    tokener: str | None = None
    token_type: str | None = None


class RemoveToken(Action, kw_only=True):
    type_name = "remove_token"
    city: str
    slot: int


class RunRoutes(Action, kw_only=True):
    type_name = "run_routes"
    routes: list[dict[str, Any]]
    extra_revenue: int | None = None
    subsidy: int | None = None


class Dividend(Action, kw_only=True):
    type_name = "dividend"
    kind: str
    amount: int | None = None


class BuyTrain(Action, kw_only=True):
    type_name = "buy_train"
    train: str
    price: int
    variant: str | None = None
    exchange: str | None = None


class DiscardTrain(Action, kw_only=True):
    type_name = "discard_train"
    train: str


class BorrowTrain(Action, kw_only=True):
    type_name = "borrow_train"
    train: str


class TakeLoan(Action, kw_only=True):
    type_name = "take_loan"
    loan: int


class PayoffLoan(Action, kw_only=True):
    type_name = "payoff_loan"
    loan: int


class Merge(Action, kw_only=True):
    type_name = "merge"
    corporation: str


class Convert(Action, kw_only=True):
    type_name = "convert"


class Choose(Action, kw_only=True):
    type_name = "choose"
    choice: str


class Assign(Action, kw_only=True):
    type_name = "assign"
    target: str
    target_type: str


class SpecialBuy(Action, kw_only=True):
    type_name = "special_buy"
    description: str
    cost: int | None = None


class DestinationConnection(Action, kw_only=True):
    type_name = "destination_connection"
    corporations: list[str] = msgspec.field(default_factory=list)


class Bankrupt(Action, kw_only=True):
    type_name = "bankrupt"


class EndGame(Action, kw_only=True):
    type_name = "end_game"
    free = True


class Message(Action, kw_only=True):
    type_name = "message"
    free = True
    message: str = ""


class Log(Action, kw_only=True):
    type_name = "log"
    free = True
    message: str = ""


class Undo(Action, kw_only=True):
    type_name = "undo"
    action_id: int | None = None


class Redo(Action, kw_only=True):
    type_name = "redo"


class ProgramSharePass(Action, kw_only=True):
    type_name = "program_share_pass"
    free = True
    unconditional: bool | None = None
    indefinite: bool | None = None


class ProgramBuyShares(Action, kw_only=True):
    type_name = "program_buy_shares"
    free = True
    corporation: str
    until_condition: int | str
    from_market: bool | None = None
    auto_pass_after: bool | None = None


class ProgramMergerPass(Action, kw_only=True):
    type_name = "program_merger_pass"
    free = True
    corporations_by_round: dict[str, list[str]]
    options: list[str] | None = None


class ProgramAuctionBid(Action, kw_only=True):
    type_name = "program_auction_bid"
    free = True
    bid_target: str
    enable_maximum_bid: bool | None = None
    maximum_bid: int | None = None
    enable_buy_price: bool | None = None
    buy_price: int | None = None
    auto_pass_after: bool | None = None


class ProgramDisable(Action, kw_only=True):
    type_name = "program_disable"
    free = True
    reason: str | None = None
    original_type: str | None = None


class ProgramClosePass(Action, kw_only=True):
    type_name = "program_close_pass"
    free = True


ACTION_TYPES: dict[str, type[Action]] = {
    cls.type_name: cls
    for cls in (
        Pass, Bid, Par, BuyShares, SellShares, BuyCompany, LayTile, PlaceToken, RemoveToken, RunRoutes,
        Dividend, BuyTrain, DiscardTrain, BorrowTrain, TakeLoan, PayoffLoan, Merge, Convert, Choose, Assign,
        SpecialBuy, DestinationConnection, Bankrupt, EndGame, Message, Log, Undo, Redo, ProgramSharePass,
        ProgramBuyShares, ProgramMergerPass, ProgramAuctionBid, ProgramDisable, ProgramClosePass,
    )
}  # fmt: skip


def read_action(raw: Mapping[str, Any]) -> Action:
    """Reads one action.

    Raises ActionSyntaxError naming the action's id, the field and what is wrong with it.
    """
    kind = raw.get("type")
    cls = ACTION_TYPES.get(kind) if isinstance(kind, str) else None
    if cls is None:
        raise ActionSyntaxError(f"action {raw.get('id')}: unknown type {kind!r}")
    nested = raw.get("auto_actions") or ()
    plain = {name: value for name, value in raw.items() if value is not None and name != "auto_actions"}
    try:
        action = msgspec.convert(plain, cls)
    except msgspec.ValidationError as error:
        raise ActionSyntaxError(f"action {raw.get('id')} ({kind}): {error}") from None
    if nested:
        if not isinstance(nested, list):
            raise ActionSyntaxError(f"action {raw.get('id')} ({kind}): `auto_actions` must be a list")
        if not all(isinstance(item, Mapping) for item in nested):
            raise ActionSyntaxError(f"action {raw.get('id')} ({kind}): `auto_actions` must hold objects")
        action.auto_actions = [read_action(item) for item in nested]
    return action


def write_action(action: Action) -> dict[str, Any]:
    """The action in the public JSON form, `type` first."""
    plain: dict[str, Any] = {"type": action.type_name}
    for name in action.__struct_fields__:
        value = getattr(action, name)
        if value is None or name == "auto_actions":
            continue
        plain[name] = value
    if action.auto_actions:
        plain["auto_actions"] = [write_action(item) for item in action.auto_actions]
    return plain
