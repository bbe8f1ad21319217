"""How much faster a shared grounding judges states than a grounding for each, in one run.

Run it as `python tests/benchmarks/judging.py [STATES]`; it prints a ratio, and how long loading and
grounding take beside it. The fresh groundings are measured on a sample and scaled up.
"""

import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.support import random_state

from lexbelli import load_rulebook
from lexbelli.moves import moves
from lexbelli.rulebook import judge_fresh, session, switches
from lexbelli.solver import ground_program

SAMPLE = 40


def main(count: int) -> None:
    """Measure and print."""
    start = time.perf_counter()
    book = load_rulebook()
    loaded = time.perf_counter() - start
    start = time.perf_counter()
    ground_program(book.statements + book.choice, switches(book, frozenset()))
    grounded = time.perf_counter() - start
    session(book)
    rng = random.Random(1939)
    states = [random_state(book, rng) for _ in range(count)]
    start = time.perf_counter()
    moves(book, states)
    shared = (time.perf_counter() - start) / count
    start = time.perf_counter()
    for state in states[:SAMPLE]:
        judge_fresh(book, state.facts)
    fresh = (time.perf_counter() - start) / min(SAMPLE, count)
    print(f"loading {loaded:.3f} s, grounding {grounded:.3f} s")
    print(f"{count} states: {shared * 1000:.1f} ms each on one grounding")
    print(f"{SAMPLE} of them: {fresh * 1000:.1f} ms each on a grounding of its own")
    print(f"ratio {fresh / shared:.1f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
