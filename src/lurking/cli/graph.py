"""``lurking graph``: what a graph says by itself, without data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.text import Text

from lurking._errors import ParameterError
from lurking.cli.help_text import COMMANDS
from lurking.cli.inputs import factors_in, freed_in, freed_words, latent_in, names_in, read_any_graph, roles_in

if TYPE_CHECKING:
    from lurking.graphs import ADMG, CPDAG, PAG, SelectedADMG

__all__ = ["command"]

MOST_SHOWN = 20
MOST_FOR_TETRADS = 40  # measured variables; 40 of them have 274,170 tetrads


@click.command("graph", short_help=COMMANDS["graph"])
@click.argument("graph", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--format", "format_", metavar="NAME", help="The format of FILE; by default what its ending says.")
@click.option("--cause", metavar="X", multiple=True, help="Whose effect is asked for; several may be set at once.")
@click.option("--effect", metavar="Y", multiple=True, help="On what; several may be given.")
@click.option("--include", metavar="Z", multiple=True, help="Adjustment sets must hold this variable.")
@click.option(
    "--exclude", metavar="Z", multiple=True, help="Adjustment sets and instruments may not hold this variable."
)
@click.option(
    "--experiment",
    "experiments",
    metavar="A,B,...",
    multiple=True,
    help="A formula may also use an experiment that set these variables. Repeatable.",
)
@click.option("--all", "everything", is_flag=True, help=f"Show all lines of a list, not only the first {MOST_SHOWN}.")
@click.option("--json", "as_json", is_flag=True, help="Print the answers as JSON instead of words.")
def command(
    graph: Path,
    format_: str | None,
    cause: tuple[str, ...],
    effect: tuple[str, ...],
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    experiments: tuple[str, ...],
    everything: bool,
    as_json: bool,
) -> None:
    """Say what the graph in FILE implies, and how its effects can be estimated. No data are needed.

    FILE is a graph in any format: arrows (A -> B; B <-> C), JSON, DOT, DAGitty, GML, Tetrad, lavaan, pcalg, or a
    result.json. Without options: its classes, districts, and everything it implies. With --cause and --effect: what to
    adjust for, instruments, and whether the effect is identified. A DAGitty file may name both itself.
    """
    from lurking.cli.console import answer_console
    from lurking.graphs import ADMG, SelectedADMG
    from lurking.graphs.drawing import printable

    found = read_any_graph(graph, format_)
    selected = found.selected if isinstance(found, SelectedADMG) else ()
    without_answer: tuple[str, ...] = ()
    if not cause and not effect:
        cause, effect = roles_in(graph, format_)
        without_answer = tuple(name for name in (*cause, *effect) if name in selected)
        if without_answer:
            cause = effect = ()
    if bool(cause) != bool(effect):
        raise click.UsageError("An effect needs both ends; give --cause and --effect.")
    answers: dict[str, Any] = {
        "file": graph.name,
        "kind": type(found).__name__,
        "variables": len(found),
        "edges": found.n_edges,
        "not measured": [name for name in latent_in(graph, format_) if name not in selected],
        "freed": freed_in(graph, format_),
    }
    answers |= _about(found)
    if without_answer:
        answers["no effect"] = (
            f"The effect that the file asks for is not answered, because the sample was selected by "
            f"{_listed(list(without_answer))}."
        )
    if answers["not measured"] and isinstance(found, ADMG):
        answers["vanishing tetrads"] = _tetrads(graph, format_)
    if cause:
        settings = [names_in(text) for text in experiments]
        answers["effect"] = _about_effect(found, list(cause), list(effect), list(include), list(exclude), settings)
    elif experiments:
        raise click.UsageError("An experiment helps to find a formula for an effect; give --cause and --effect.")
    if as_json:
        click.echo(json.dumps(answers, ensure_ascii=False, indent=1))
        return
    console = answer_console()
    for line in _in_words(answers, None if everything else MOST_SHOWN):
        console.print(Text(printable(line.plain), style=line.style), soft_wrap=True)


def _about(graph: ADMG | CPDAG | PAG | SelectedADMG) -> dict[str, Any]:
    """Return what a graph says by itself."""
    from lurking.graphs import ADMG, CPDAG, SelectedADMG

    if isinstance(graph, SelectedADMG):
        return {
            "selected by": list(graph.selected),
            "mag of the sample": str(graph.to_mag()),
            "pag of the sample": str(graph.to_pag()),
            "independences": [str(statement) for statement in graph.independences()],
        }
    if isinstance(graph, ADMG):
        outside = {name: graph.witness(name) for name in ("bow-free", "arid", "ancestral")}
        constraints = graph.implied_constraints()
        return {
            "classes": [name for name, witness in outside.items() if witness is None],
            "not": {name: str(witness) for name, witness in outside.items() if witness is not None},
            "districts": [sorted(district) for district in graph.districts() if len(district) > 1],
            "independences": [str(constraint) for constraint in constraints if not constraint.is_verma],
            "verma constraints": [str(constraint) for constraint in constraints if constraint.is_verma],
        }
    witness = graph.witness()
    if witness is not None:
        return {"no class of graphs": witness}
    about: dict[str, Any] = {"independences": [str(statement) for statement in graph.independences()]}
    if isinstance(graph, CPDAG):
        return about | {"open directions": [" -- ".join(pair) for pair in graph.undirected_edges()]}
    return about | {"visible edges": [" -> ".join(pair) for pair in graph.visible_edges()]}


def _tetrads(path: Path, format: str | None) -> list[str]:
    """Return what the graph with its latent vertices implies, and its projection does not."""
    from lurking.graphs import implied_tetrads

    factors = factors_in(path, format)
    if factors is None or len(factors[0]) - len(factors[1]) > MOST_FOR_TETRADS:
        return []
    return [str(tetrad) for tetrad in implied_tetrads(*factors)]


def _about_effect(
    graph: ADMG | CPDAG | PAG | SelectedADMG,
    cause: list[str],
    effect: list[str],
    include: list[str],
    exclude: list[str],
    experiments: list[tuple[str, ...]],
) -> dict[str, Any]:
    """Return how an effect can be estimated."""
    from lurking.graphs import (
        ADMG,
        SelectedADMG,
        adjustment_obstacle,
        adjustment_set,
        adjustment_sets,
        instruments,
    )

    smallest = adjustment_set(graph, cause, effect, include=include, exclude=exclude)
    about: dict[str, Any] = {"cause": cause, "effect": effect}
    if isinstance(graph, ADMG | SelectedADMG):
        about["is a cause"] = any(name in graph.ancestors(effect) for name in cause)
    else:
        possible = any(name in graph.possible_ancestors(effect) for name in cause)
        about["is a cause"] = None if possible else False
        if any(name in graph.ancestors(effect) for name in cause):
            about["is a cause"] = True
    about["adjustment set"] = None if smallest is None else sorted(smallest)
    if smallest is None:
        about["no adjustment"] = adjustment_obstacle(graph, cause, effect) or (
            "No adjustment set holds what is included without what is excluded."
        )
    else:
        minimal = adjustment_sets(graph, cause, effect, include=include, exclude=exclude)
        about["minimal adjustment sets"] = [sorted(found) for found in minimal]
    if isinstance(graph, ADMG | SelectedADMG) and len(cause) == len(effect) == 1:
        about["instruments"] = [
            {"variable": each.variable, "given": sorted(each.given)}
            for each in instruments(graph, cause[0], effect[0], exclude=exclude)
        ]
    if isinstance(graph, SelectedADMG) and (smallest is not None or about.get("instruments")):
        about["valid in"] = (
            f"Given {_listed(list(graph.selected))} as in the sample: in a linear model this is the effect in the "
            "population; a formula for other models would need the population itself."
        )
    if experiments and not isinstance(graph, ADMG):
        raise ParameterError(f"Formulas from experiments are found in an ADMG, not in a {type(graph).__name__}.")
    if isinstance(graph, ADMG):
        answer = graph.identify(cause, effect, experiments=[(), *experiments])
        about["identified"] = answer.identified
        about["formula"] = str(answer)
    return about


def _in_words(answers: dict[str, Any], most: int | None) -> list[Text]:
    """Return the answers as lines."""
    size = f"{answers['variables']} variables, {answers['edges']} edges"
    lines = [Text(f"{answers['file']}: {answers['kind']}, {size}", style="bold")]
    if answers["freed"]:
        lines.append(Text(freed_words(answers["freed"])))
    if answers["not measured"]:
        lines.append(
            Text(f"Not measured, and turned into what it means for the others: {_listed(answers['not measured'])}")
        )
    if "selected by" in answers:
        lines.append(Text(f"The sample was selected by {_listed(answers['selected by'])}; all answers are for it."))
        lines.append(Text("A tail, as at both ends of --, is at a cause of the other end or of the selection."))
        lines.append(Text(f"Its MAG: {answers['mag of the sample']}"))
        lines.append(Text(f"Its PAG: {answers['pag of the sample']}"))
    if "no class of graphs" in answers:
        lines.append(Text(f"It stands for no graph. {answers['no class of graphs']}", style="red"))
    if "classes" in answers:
        lines.append(Text(f"It is {_listed(answers['classes']) or 'not bow-free, arid or ancestral'}."))
        lines += [Text(f"It is not {name}: {witness}.") for name, witness in answers["not"].items()]
        sets = [f"{{{', '.join(district)}}}" for district in answers["districts"]]
        lines.append(Text(f"Unmeasured causes join {_listed(sets)}." if sets else "It has no unmeasured cause."))
    for key, heading in (
        ("open directions", "Directions left open"),
        ("visible edges", "Edges that nothing unmeasured lies behind"),
        ("independences", "Independences implied"),
        ("verma constraints", "Verma constraints implied"),
        ("vanishing tetrads", "Vanishing tetrads implied by what is not measured"),
    ):
        if key in answers:
            lines += _list(heading, answers[key], most)
    if "no effect" in answers:
        lines.append(Text(answers["no effect"], style="yellow"))
    if "effect" in answers:
        lines += _effect_in_words(answers["effect"], most)
    return lines


def _effect_in_words(about: dict[str, Any], most: int | None) -> list[Text]:
    cause, effect = _listed(about["cause"]), _listed(about["effect"])
    lines = [Text(), Text(f"The effect of {cause} on {effect}", style="bold")]
    if about["is a cause"] is False:
        lines.append(Text("It is zero: no directed path leads there."))
    elif about["is a cause"] is None:
        lines.append(Text("Whether there is one is left open."))
    if about["adjustment set"] is None:
        lines.append(Text(about["no adjustment"], style="yellow"))
    else:
        lines.append(Text(f"Adjust for {_listed(about['adjustment set']) or 'nothing'}."))
        if len(about["minimal adjustment sets"]) > 1:
            sets = [f"{{{', '.join(found)}}}" for found in about["minimal adjustment sets"]]
            lines += _list("Minimal adjustment sets", sets, most)
    if "instruments" in about:
        written = [
            found["variable"] + (f" given {', '.join(found['given'])}" if found["given"] else "")
            for found in about["instruments"]
        ]
        lines += _list("Instruments", written, most)
    if "formula" in about:
        lines.append(Text(about["formula"]))
    if "valid in" in about:
        lines.append(Text(about["valid in"]))
    return lines


def _list(heading: str, entries: list[str], most: int | None) -> list[Text]:
    if not entries:
        return [Text(f"{heading}: none")]
    shown = entries[:most]
    lines = [Text(f"{heading} ({len(entries)})", style="bold"), *(Text(f"  {entry}") for entry in shown)]
    left = len(entries) - len(shown)
    return [*lines, Text(f"  and {left} more; --all shows them", style="dim")] if left else lines


def _listed(words: list[str]) -> str:
    return ", ".join(words)
