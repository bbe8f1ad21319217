"""The duties in a state: who imposes them, whether they are met, and how they can be."""

from lexbelli.errors import UnknownNameError
from lexbelli.model import Duty, State
from lexbelli.moves import action_owners, read_moves, rows_about_action
from lexbelli.phrases import wording
from lexbelli.rulebook import Rulebook
from lexbelli.solver import Answer, Session
from lexbelli.states import session_for
from lexbelli.suggest import did_you_mean
from lexbelli.terms import clause_key, parse_term
from lexbelli.why import duty_entries


def duties(book: Rulebook, state: State) -> list[Duty]:
    """Return every duty that a clause imposes in the state, sorted, with its conditions."""
    grounded = session_for(book, state.facts)
    answer = grounded.judge(state.facts)
    imposed = sorted({duty for _, duty in answer.of("imposes")})
    if not imposed:
        return []
    world = grounded.everything(state.facts)
    found = []
    for name in imposed:
        duty = _duty(book, grounded, answer, name)
        entries = [e for e in duty_entries(book, world, parse_term(name)) if e.met]
        found.append(Duty(duty.duty, duty.reads, duty.status, duty.clauses, duty.ways, tuple(entries)))
    return found


def duty_status(book: Rulebook, state: State, duty: str) -> Duty:
    """Return one duty; its status is "none" where no clause imposes it.

    Raises InputError or UnknownNameError when there is no such duty.
    """
    text = str(parse_term(duty))
    grounded = session_for(book, state.facts)
    known = grounded.names("duty")
    if text not in known:
        raise UnknownNameError(f"there is no duty {text}", hint=did_you_mean(text, known))
    rows = grounded.rows_about(text, status=0, imposes=1, way=0)
    actions = sorted({arguments[1] for _, name, arguments in rows if name == "way"})
    rows += [row for action in actions for row in rows_about_action(grounded, action)]
    return _duty(book, grounded, grounded.read(state.facts, rows), text)


def _duty(book: Rulebook, grounded: Session, answer: Answer, name: str) -> Duty:
    statuses = {row[0]: row[1] for row in answer.of("status")}
    actions = {action for duty, action in answer.of("way") if duty == name}
    owners = {a: owner for a, owner in action_owners(grounded).items() if a in actions}
    ways = read_moves(answer, owners)
    clauses = {clause for clause, duty in answer.of("imposes") if duty == name}
    return Duty(
        duty=name,
        reads=wording(book).say(name),
        status=statuses.get(name, "none"),
        clauses=tuple(sorted(clauses, key=clause_key)),
        ways=tuple(ways),
    )
