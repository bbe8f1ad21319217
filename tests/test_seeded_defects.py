"""Defects planted into a copy of the shipped rulebook: each is found, and nothing else is new.

What each defect brings and takes away is worked out from the clauses, as the comments say.
"""

from dataclasses import dataclass
from pathlib import Path

import pytest

from lexbelli import Rulebook, load_rulebook
from lexbelli.check import check


@dataclass(frozen=True)
class Defect:
    """A text of a chapter replaced by another, and the findings that come and go with it."""

    chapter: str
    old: str
    new: str
    brings: frozenset[str]
    takes: frozenset[str] = frozenset()


def brings(*ids: str) -> frozenset[str]:
    return frozenset(ids)


GROUPS = {
    "conditions, thresholds and references": [
        # the first axis turn of the invasion is no Russian player turn, so the clause never speaks, and
        # nobody speaks of armor in exploitation
        Defect(
            "63_eastern_europe",
            'sets("63.51F.1c",extra_movement((adjacent;not_adjacent)),2) :-\n'
            "    surprise, invasion_turn(first_axis), phase(axis,exploitation).",
            'sets("63.51F.1c",extra_movement((adjacent;not_adjacent)),2) :-\n'
            "    surprise, invasion_turn(first_axis), phase(russia,exploitation).",
            brings("LB201:63.51F.1c", "LB301:63.51F.1a+63.51F.1b+63.51F.1c"),
            takes=frozenset({"LB205:63.51F.1c:invasion_turn(first_axis)"}),
        ),
        # from 15 to 19 the clause grants what it forbids; no other clause speaks of subversion
        Defect(
            "63_eastern_europe",
            'forbids("63.51A",subvert(russia,Minor)) :- rgt(Level), Level <  15,',
            'forbids("63.51A",subvert(russia,Minor)) :- rgt(Level), Level <  20,',
            brings("LB101:63.51A"),
        ),
        # without the exception the time for renouncing stands against both clauses that grant it at
        # once; 66.25A.s1a grants it at the start of the turn only, where nothing forbids it
        Defect(
            "66_bessarabia",
            'overrides("66.25.e1","66.25.s1",renounce_claim(Country,bessarabia)) :-\n'
            "    claimant(Country), border_war(rumania), control_just_gained(rumania).\n",
            "",
            # without it the first of them grants no more than the other, so that both say the same
            brings("LB101:66.25.e1+66.25.s1", "LB101:66.28.s1+66.25.s1", "LB203:66.25.e1+66.28.s1"),
            takes=frozenset({"LB203:66.28.s1+66.25.e1"}),
        ),
        # both clauses that the missing one limited refer to it by its number
        Defect(
            "68_ukraine",
            "%## 68.33.s3  Ukrainian hexes to build in: held when the turn began\n"
            "% > In either case the builder must have held the hexes already when its turn began.\n"
            "% kind: precondition\n"
            'forbids("68.33.s3",construct(germany,ukrainian_infantry,ukraine)) :- '
            "not held_at_start(axis,ukraine).\n"
            'meets("68.33.s3",construct(germany,ukrainian_infantry,ukraine))   :- '
            "held_at_start(axis,ukraine).\n"
            'forbids("68.33.s3",construct(russia,Class,ukraine)) :- unit_class(Class), '
            "Class != partisan, not held_at_start(russia,ukraine).\n"
            'meets("68.33.s3",construct(russia,Class,ukraine))   :- unit_class(Class), '
            "Class != partisan, held_at_start(russia,ukraine).\n",
            "",
            brings("LB401:68.33.s1", "LB401:68.33.s2"),
        ),
        # the clause says this one thing, and now never to effect; its master's twin has no such words
        Defect(
            "66_bessarabia",
            'forbids("66.23.s1b",(enter(rumania,Area);attack_into(rumania,Area))) :-',
            'overrides("66.23.s1b","66.23.s2",winter_effects(rumania)).\n'
            'forbids("66.23.s1b",(enter(rumania,Area);attack_into(rumania,Area))) :-',
            brings("LB202:66.23.s2", "LB301:66.23.s1b+67.23B.b"),
        ),
        # 64.32 gives the same value a second time
        Defect(
            "63_eastern_europe",
            'sets("63.11A",brp_value(eastern_poland),10).',
            'sets("63.11A",brp_value(eastern_poland),12).',
            brings("LB103:63.11A+64.32.s1"),
            takes=frozenset({"LB203:63.11A+64.32.s1"}),
        ),
        # a copy of the clause above it that says less; only one clause speaks of interfering
        Defect(
            "67_finnish_border_hexes",
            'forbids("67.25E.s5",interfere(russia,sweden)) :- neutral(sweden).\n',
            'forbids("67.25E.s5",interfere(russia,sweden)) :- neutral(sweden).\n\n'
            "%## 67.25E.s6  Swedish transports once more\n"
            "% > In its movement phase Russia leaves them alone.\n% kind: prohibition\n"
            'forbids("67.25E.s6",interfere(russia,sweden)) :- '
            "neutral(sweden), phase(russia,movement).\n",
            brings("LB203:67.25E.s6+67.25E.s5"),
        ),
        # each of the two above the other; the second says nothing else, so that no answer changes
        Defect(
            "63_eastern_europe",
            'meets("63.51C.s4",transfer_to_siberia(russia,Class)) :-',
            'overrides("63.51C.s4","63.51C.s5",transfer_to_siberia(russia,Class)) :- '
            "unit_class(Class), rgt_reached(50).\n"
            'meets("63.51C.s4",transfer_to_siberia(russia,Class)) :-',
            brings("LB106:63.51C.s4+63.51C.s5"),
        ),
        # a rule of a clause without a heading; a requirement that is met contradicts nothing
        Defect(
            "67_finnish_border_hexes",
            'forbids("67.25E.s5",interfere(russia,sweden)) :-',
            'meets("67.99",interfere(russia,sweden)) :- neutral(sweden).\n'
            'forbids("67.25E.s5",interfere(russia,sweden)) :-',
            brings("LB404:67.99+67.25E.s5"),
        ),
    ],
    "facts, effects and duties": [
        # a result of 2 begins the border war that a result of 1 or 2 rules out
        Defect(
            "66_bessarabia",
            'concludes("66.12D.c",begins(border_war(rumania))) :- demanded(rumania), '
            "diplomatic_result(rumania,7).",
            'concludes("66.12D.c",begins(border_war(rumania))) :- demanded(rumania), '
            "diplomatic_result(rumania,2).",
            brings("LB104:66.12D.c+66.12B.b"),
        ),
        # in the German war, after a border war grown into a full-scale war, both clauses speak
        Defect(
            "67_finnish_border_hexes",
            'overrides("67.51","67.25F.s1",associates(finland,germany)) :- at_war(germany,russia), '
            "border_war_occurred(finland).\n",
            "",
            brings("LB104:67.51+67.25F.s1"),
        ),
        # the units that are to go home are put back into the hexes that they leave
        Defect(
            "67_finnish_border_hexes",
            'initiates("67.24.s2",concede(finland),in_area(finland,finland_proper)) ',
            'initiates("67.24.s2",concede(finland),in_area(finland,finnish_border_hexes)) ',
            brings("LB105:67.24.s2"),
        ),
        # the wrong power is kept from the hexes: it must take them (64.35.s2), and may (64.35.s1)
        Defect(
            "64_poland",
            'forbids("64.34.s3a",gain_control(germany,eastern_poland)) :- '
            "turn(fall,1939), player_turn(axis).",
            'forbids("64.34.s3a",gain_control(russia,eastern_poland)) :- '
            "turn(fall,1939), player_turn(russia).",
            brings("LB102:64.35.s2", "LB101:64.35.s1+64.34.s3a", "LB101:64.35.s2+64.34.s3a"),
        ),
        # the duty keeps no way out; the same action still discharges another duty, that of 66.13
        Defect(
            "66_bessarabia",
            'discharges("66.12E",abandon_demand(rumania),abandon_demand(russia,rumania)) :- '
            "demanded(rumania).\n",
            "",
            brings("LB302:66.12E"),
        ),
        # from 50 to 54 the clause grants what it forbids; with 69.21.s2b it clashes before and after
        Defect(
            "63_eastern_europe",
            'forbids("63.51H",declare_war(russia,germany)) :- rgt(Level), Level <  50.',
            'forbids("63.51H",declare_war(russia,germany)) :- rgt(Level), Level <  55.',
            brings("LB101:63.51H"),
        ),
        # what is a full-scale war has been a border war by the meaning of the facts
        Defect(
            "67_finnish_border_hexes",
            'concludes("67.25G",ends(full_scale_war(finland))) :- '
            "full_scale_war(finland), fallen(finland).",
            'concludes("67.25G",ends(full_scale_war(finland))) :- '
            "full_scale_war(finland), fallen(finland), border_war_occurred(finland).",
            brings("LB205:67.25G:border_war_occurred(finland)"),
        ),
        # a result of exactly 0 is left to no letter
        Defect(
            "66_bessarabia",
            'permits("66.12A",concede(rumania)) :- '
            "demanded(rumania), diplomatic_result(rumania,Result), Result <= 0.\n"
            'initiates("66.12A",concede(rumania),controls(russia,Hex)) :-\n'
            "    demanded(rumania), diplomatic_result(rumania,Result), Result <= 0, ",
            'permits("66.12A",concede(rumania)) :- '
            "demanded(rumania), diplomatic_result(rumania,Result), Result < 0.\n"
            'initiates("66.12A",concede(rumania),controls(russia,Hex)) :-\n'
            "    demanded(rumania), diplomatic_result(rumania,Result), Result < 0, ",
            brings(
                "LB301:66.12A+66.12B.a+66.12B.b+66.12B.c+66.12C.s1+66.12C.s3+66.12D.a+66.12D.b+66.12D.c"
                "+66.12E+66.12F"
            ),
        ),
        # a heading with neither rules nor a reason
        Defect(
            "68_ukraine",
            "%## 68.35.a  ",
            "%## 68.34.s3  A clause without rules\n% > It says something.\n% kind: effect\n\n"
            "%## 68.35.a  ",
            brings("LB403:68.34.s3"),
        ),
    ],
}


def ids(book: Rulebook) -> set[str]:
    return {finding.id for finding in check(book).findings}


@pytest.fixture(scope="module")
def sound(book: Rulebook) -> set[str]:
    """The findings of the rulebook without planted defects."""
    return ids(book)


@pytest.mark.parametrize("group", GROUPS)
def test_planted_defects_are_found_and_nothing_else_is_new(
    group: str, sound: set[str], rulebook_copy: Path
) -> None:
    planted = GROUPS[group]
    for defect in planted:
        path = rulebook_copy / "rules" / f"{defect.chapter}.lp"
        text = path.read_text("utf-8")
        assert text.count(defect.old) == 1, defect.old
        path.write_text(text.replace(defect.old, defect.new), "utf-8")
    found = ids(load_rulebook(rulebook_copy, tolerant=True))
    assert found - sound == {one for defect in planted for one in defect.brings}
    assert sound - found == {one for defect in planted for one in defect.takes}
