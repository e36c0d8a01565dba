"""Whether two seeds of the search tell the same story of the bundled protein data.

A statement with a probability of .8 or more from one seed is *contradicted* by another seed that gives its opposite
.5 or more: "is a cause" by "is not a cause" and by "is an effect", "directly connected" by "not directly connected"::

    python -m benchmarks.demo_seeds --seeds 10

It exits with 1 if there is such a pair.
"""

from __future__ import annotations

import argparse
import sys
from itertools import permutations

import lurking

Story = dict[tuple[str, str, str], float]
"""The probability of each kind of statement about two variables."""

_OPPOSITE = {"causes": "not causes", "not causes": "causes", "adjacent": "apart", "apart": "adjacent"}
_OF_A_PAIR = ("adjacent", "apart", "shares a cause")


def story(seed: int) -> Story:
    """Return what a search with this seed says; of a pair in both orders."""
    answer = lurking.discover(lurking.load_sachs(centre_conditions=True), random_state=seed)
    said: Story = {(one.kind, one.first, one.second): one.probability for one in answer.statement_list}
    return said | {(kind, b, a): p for (kind, a, b), p in said.items() if kind in _OF_A_PAIR}


def against(statement: tuple[str, str, str], other: Story) -> float:
    """Return the largest probability of what contradicts a statement."""
    kind, one, two = statement
    found = other.get((_OPPOSITE[kind], one, two), 0.0) if kind in _OPPOSITE else 0.0
    return max(found, other.get(("causes", two, one), 0.0)) if kind == "causes" else found


def main(arguments: list[str] | None = None) -> int:
    """Search with every seed, print what each says, and compare all pairs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10, help="how many; they begin with 0")
    stories = []
    for seed in range(parser.parse_args(arguments).seeds):
        stories.append(story(seed))
        certain = [words for words, p in stories[-1].items() if words[0] == "adjacent" and p >= 0.95]
        directed = [words for words, p in stories[-1].items() if words[0] == "causes" and p >= 0.8]
        print(
            f"seed {seed}: {len(certain) // 2} connections with p >= .95, {len(directed)} causes with p >= .8",
            flush=True,
        )
    opposed = [
        (against(statement, other), statement, probability)
        for one, other in permutations(stories, 2)
        for statement, probability in one.items()
        if probability >= 0.8
    ]
    for most, statement, probability in opposed:
        if most >= 0.5:
            print(f"  {' '.join(statement)}: {probability:.2f}, but another seed says {most:.2f} to the opposite")
    worst = max((most for most, _, _ in opposed), default=0.0)
    print(f"the largest probability of an opposite is {worst:.2f}")
    return int(worst >= 0.5)


if __name__ == "__main__":
    sys.exit(main())
