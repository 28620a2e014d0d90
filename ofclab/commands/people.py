"""`ofclab players`, `ofclab forget` and `ofclab share`: who plays, take an import back, show a hand to others."""

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from ofclab.commands.output import Json, print_json, print_table

Log = Annotated[Path, typer.Argument(help="Folder of a log.")]


def players(
    log: Log,
    merge: Annotated[list[str] | None, typer.Option(help="ALIAS=PLAYER: two pseudonyms of one person.")] = None,
    part: Annotated[list[str] | None, typer.Option(help="Take a merge of this pseudonym back.")] = None,
    me: Annotated[str, typer.Option(help="The player who is you.")] = "",
    names: Annotated[bool, typer.Option("--names", help="Show real names too, where the side file is here.")] = False,
    as_json: Json = False,
) -> None:
    """List the players of a log; merge the aliases of one person, say who you are.

    Example: ofclab players data/runs/club --merge p-1a2b=p-3c4d --me p-3c4d
    """
    from ofclab.importers.players import Pseudonyms
    from ofclab.log import merge_players, open_log, part_players, set_me

    opened = open_log(log)
    for pair in merge or ():
        alias, _, player = pair.partition("=")
        if not player:
            raise typer.BadParameter(f"want ALIAS=PLAYER, got {pair!r}", param_hint="--merge")
        merge_players(opened, alias, player)
    for alias in part or ():
        part_players(opened, alias)
    if me:
        set_me(opened, me)
    found = opened.players
    known = Pseudonyms(log.expanduser().resolve().parent).names if names else {}
    rows = [{**row, **({"name": known.get(row["player"])} if names else {})} for row in found.iter_rows(named=True)]
    if as_json:
        print_json(rows)
        return
    shown = ("player", "hands", "sessions", "first", "last", "aliases", *(("name",) if names else ()))
    print_table(
        f"Players of {log}",
        ("", *shown),
        [("me" if row["me"] else "", *(_cell(row[name]) for name in shown)) for row in rows],
    )


def _cell(value: object) -> str:
    from ofclab.compare.result import cell

    return f"{value:%Y-%m-%d}" if isinstance(value, datetime) else cell(value)


def forget(
    log: Log,
    file: Annotated[str, typer.Option(help="An imported file, as the column source_file names it.")] = "",
    hand: Annotated[int | None, typer.Option(help="The id of one hand.")] = None,
    session: Annotated[int | None, typer.Option(help="The id of one session of the ledger.")] = None,
    as_json: Json = False,
) -> None:
    """Take an imported file, hand or session out of a log; import it again to correct it.

    Example: ofclab forget data/runs/club --file sessions.csv
    """
    from dataclasses import asdict

    from ofclab.log import forget as take_out
    from ofclab.log import open_log

    gone = take_out(open_log(log), source_file=file or None, hand_id=hand, session_id=session)
    if as_json:
        print_json(asdict(gone))
        return
    typer.echo(f"taken out: {gone.hands} hands, {gone.sessions} sessions, {gone.rejects} rejects")
    if gone.import_again:
        typer.echo(f"told by other files as well, import these again: {', '.join(gone.import_again)}")


def share(
    log: Log,
    hand: Annotated[int, typer.Argument(help="The id of a hand.")],
    seat: Annotated[int | None, typer.Option(help="The seat whose view it is; without it the final boards.")] = None,
    street: Annotated[int | None, typer.Option(help="Only the spot of this street.")] = None,
    as_json: Json = False,
) -> None:
    """Show a hand or a spot as text and as a code for a link, with nothing in it that its viewer could not see.

    Example: ofclab share data/runs/import-twin 1234567890 --seat 0 --street 3
    """
    from ofclab.log import open_log, share_hand

    shared = share_hand(open_log(log), hand, seat, street)
    if as_json:
        print_json({"text": shared.text, "code": shared.code})
        return
    typer.echo(shared.text)
    typer.echo(f"code: {shared.code}")
