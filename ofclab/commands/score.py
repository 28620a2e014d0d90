"""`ofclab score` and `ofclab fantasyland`: score finished boards, set a Fantasyland hand."""

from typing import Annotated

import typer

from ofclab.commands.output import Json, print_json, print_table

Rules = Annotated[str, typer.Option(help="A preset name or the path of a TOML file.")]


def _numbers(text: str, option: str) -> list[int] | None:
    if not text:
        return None
    try:
        return [int(word) for word in text.split(",")]
    except ValueError:
        raise typer.BadParameter(f"want whole numbers such as 0,14, got {text!r}", param_hint=option) from None


def score(
    boards: Annotated[list[str], typer.Argument(help="'front / middle / back', from the dealer's left, dealer last.")],
    rules: Rules = "american-pineapple",
    fantasyland: Annotated[str, typer.Option(help="Cards each player came in with: 0,14.")] = "",
    stacks: Annotated[str, typer.Option(help="Chips in front of each player, to settle table stakes: 200,35.")] = "",
    as_json: Json = False,
) -> None:
    """Score two to four finished boards: rows, fouls, royalties, who pays whom, next Fantasyland.

    Example: ofclab score "8d 8c 3s / Ts 9d Tc 9s Kd / Ah Kh Jh 4h 2h" "Qs Qh 7d / Qd Qc 6s 5h 4d / Ac Kc Jc 9c 2c"
    """
    from ofclab.board import Board
    from ofclab.cards import require_distinct
    from ofclab.rules import load_rules
    from ofclab.scoring import score as score_hand
    from ofclab.settlement import settle

    ruleset = load_rules(rules)
    parsed = [Board.parse(board) for board in boards]
    require_distinct((card for board in parsed for card in board.cards), "the hand")
    result = score_hand(parsed, ruleset, _numbers(fantasyland, "--fantasyland"))
    chips = _numbers(stacks, "--stacks")
    settled = settle(result.pairs, chips, ruleset) if chips is not None else None
    if as_json:
        from dataclasses import asdict

        seats = [
            {**asdict(seat), "royalties": {**seat.royalties._asdict(), "total": seat.royalties.total}}
            for seat in result.seats
        ]
        pairs = [{**asdict(pair), "rows": pair.rows._asdict()} for pair in result.pairs]
        told = {"rules": ruleset.name, "points": result.points, "seats": seats, "pairs": pairs}
        print_json(told if settled is None else {**told, "settlement": asdict(settled)})
        return
    rows = []
    for i, (board, seat, points) in enumerate(zip(parsed, result.seats, result.points, strict=True)):
        royalties = "foul" if seat.fouled else str(seat.royalties.total)
        rows.append((str(i), str(board), royalties, f"{points:+d}", str(seat.next_fantasyland or "–")))
    print_table(f"Scored under {ruleset.name}", ("seat", "board", "royalties", "points", "Fantasyland"), rows)
    marks = {1: "won", 0: "tied", -1: "lost"}
    print_table(
        "Pairs, from the first player's side",
        ("pair", "front", "middle", "back", "rows and bonuses", "royalties", "total"),
        [
            (f"{p.a}-{p.b}", *(marks[row] for row in p.rows), f"{p.base:+d}", f"{p.royalties:+d}", f"{p.total:+d}")
            for p in result.pairs
        ],
    )
    if settled is not None:
        steps = [
            (
                f"{s.pair[0]}-{s.pair[1]}",
                str(s.owed_chips),
                str(s.paid_chips),
                f"{s.payer} pays {s.payee}" if s.paid_chips else "–",
            )
            for s in settled.steps
        ]
        print_table("Table stakes, in payment order", ("pair", "owed", "paid", "who"), steps)
        typer.echo(f"Stacks: {', '.join(map(str, settled.stacks))}; rake {settled.rake}")


def fantasyland(
    cards: Annotated[str, typer.Argument(help="13 to 17 cards.")],
    rules: Rules = "american-pineapple",
    stay_value: Annotated[
        float | None, typer.Option(help="Points another Fantasyland hand is worth; 0, or its value against opponents.")
    ] = None,
    opponent: Annotated[
        list[str] | None,
        typer.Option(help="An opponent's board, complete or not, or 'Fantasyland 14'; again for another."),
    ] = None,
    seats: Annotated[int | None, typer.Option(help="Players at the table; boards not given are unknown.")] = None,
    dead: Annotated[str, typer.Option(help="Other cards that are known to be gone.")] = "",
    policy: Annotated[str, typer.Option(help="The strategy that completes opponents' boards.")] = "",
    samples: Annotated[int, typer.Option(help="Completions of opponents' boards to compare settings on.")] = 1000,
    seed: Annotated[int, typer.Option(help="Seed of the samples.")] = 0,
    as_json: Json = False,
) -> None:
    """Set a Fantasyland hand exactly: the most royalties and what staying is worth, or the most points from opponents.

    Example: ofclab fantasyland "As Ad Ks Kd Qh Qs Jd Th 9h 8c 7c 5d 4s 2c" --stay-value 9.6
    """
    from ofclab.cards import format_cards
    from ofclab.rules import load_rules
    from ofclab.solver.fantasyland import set_fantasyland
    from ofclab.solver.showdown import QUICK

    best = set_fantasyland(
        cards, load_rules(rules), stay_value, opponent or (), seats, None, policy or QUICK, samples, seed, dead
    )
    if as_json:
        from dataclasses import asdict

        print_json(
            {
                "board": str(best.board), "discards": format_cards(best.discards), "royalties": best.royalties,
                "stays": best.stays, "fouled": best.fouled, "value": best.value, "stay_value": best.stay_value,
                "stay_cost": best.stay_cost, "points": best.points, "se": best.se, "exact": best.exact,
                "against": [asdict(one) for one in best.against], "explanation": best.explanation,
                "information": best.information, "candidates": best.frame.to_dicts(),
            }
        )  # fmt: skip
        return
    typer.echo(str(best.board))
    discards = format_cards(best.discards) or "none"
    stays = "stays" if best.stays else "does not stay"
    verdict = "fouls" if best.against else "every setting fouls"
    typer.echo(
        f"{verdict}; discards {discards}"
        if best.fouled
        else f"{best.royalties} royalties, {stays}, value {round(best.value, 4):g}; discards {discards}"
    )
    typer.echo(f"{best.explanation}\n{best.information}")


def register(app: typer.Typer) -> None:
    """Add both commands to the program."""
    app.command()(score)
    app.command()(fantasyland)
