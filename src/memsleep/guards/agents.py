"""Who does it, told in the passive: `fue reparado por Bruno`, `wird vom Vorstand geprüft`.

The roles stand firm in both tellings: the word before the agent marks it, and in the active it
stands before the verb. Endings that cases change are compared by the rules of the file.
"""

from __future__ import annotations

from collections.abc import Iterator

from memsleep.guards.agent_rules import Agents, Rules
from memsleep.guards.claims import Claim, Form


def is_agent_turned(passive: Claim, active: Claim) -> bool:
    """Return True when one is in the passive what the other is in the active, with its agent."""
    agents = passive.language.agents
    if agents.by.isdisjoint(passive.form):
        return False
    places = _places(passive, agents)
    if agents.last:
        focus = passive.language.syntax.focus
        return any(_last(agents, passive.form, place, active.form, focus) for place in places)
    return any(_next(agents, passive.form, place, active.form) for place in places)


def _places(claim: Claim, agents: Agents) -> Iterator[int]:
    for place, token in enumerate(claim.form):
        if token in agents.by and 1 < place < len(claim.form) - 1:
            yield place


def _next(agents: Agents, words: Form, by: int, active: Form) -> bool:
    """Read `patient aux participle by agent rest`."""
    if "not" in words or "not" in active:
        place = words.index("not") if words.count("not") == active.count("not") == 1 else by
        if not by - 4 <= place < by:
            return False  # it does not stand by the verb
        words = tuple(word for word in words if word != "not")
        by, active = by - 1, tuple(word for word in active if word != "not")
    for aux, kind in agents.kinds.items():
        start = by - 1 - len(aux)
        if start < 1 or words[start : by - 1] != aux:
            continue
        for stop in range(by + 2, len(words) + 1):
            agent, rest = words[by + 1 : stop], words[stop:]
            behind = active[len(agent) :]
            if active[: len(agent)] != agent:
                continue
            used = _verb(agents, behind, words[by - 1], kind)
            if used and _is_rest(agents, behind[used:], words[:start], rest):
                return True
    return False


def _verb(agents: Agents, words: Form, participle: str, kind: str) -> int:
    """Return how many words at the front are the verb in the active; 0 for another verb."""
    if kind == "perfect":
        if len(words) > 1 and words[0] in agents.have:
            return 2 if agents.plain(words[1]) == agents.plain(participle) else 0
        return 0
    return 1 if words[:1] and words[0] in agents.actives(participle, kind) else 0


def _is_rest(agents: Agents, words: Form, patient: Form, rest: Form) -> bool:
    if words and words[0] in agents.personal and words[0] not in patient[:1]:
        words = words[1:]
    return words in ((*patient, *rest), (*rest, *patient))


def _last(agents: Agents, words: Form, by: int, active: Form, focus: frozenset[str]) -> bool:
    """Read `patient aux ... by agent ... participle`."""
    kind = next((k for aux, k in agents.kinds.items() if words[1:by].count(aux[0])), "")
    if not kind:
        return False
    place = next(i for i in range(1, by) if agents.kinds.get((words[i],)) == kind)
    end = len(words)
    if words[-1] in agents.worden:
        kind, end = "past", end - 1
    elif kind == "perfect":
        return False  # what is done, not who did it
    participle = words[end - 1]
    patient, before, behind = words[:place], words[place + 1 : by], words[by + 1 : end - 1]
    if before and before[-1] in focus - {"not"}:
        return False  # nur von Anna geprueft: Anna does not only check it
    return any(
        _is_active(agents, active, patient, behind[:size], (*before, *behind[size:]), verb)
        for size in range(1, len(behind) + 1)
        for verb in _verbs(agents, participle, kind)
    )


def _verbs(agents: Agents, participle: str, kind: str) -> Iterator[tuple[str, str]]:
    """Yield (verb, what ends the clause) in the active for a participle."""
    for prefix in ("", *agents.prefixes):
        if participle.startswith(f"{prefix}ge") or not prefix:
            for verb in sorted(agents.actives(participle[len(prefix) :], kind)):
                yield verb, prefix
    if kind == "past":
        for have in sorted(agents.have):
            yield have, participle


def _is_active(
    agents: Agents, active: Form, patient: Form, agent: Form, rest: Form, verb: tuple[str, str]
) -> bool:
    size, last = len(agent), verb[1]
    if active[size : size + 1] != verb[:1] or (last and active[-1] != last):
        return False
    behind = active[size + 1 : len(active) - bool(last)]
    if len(behind) != len(patient) + len(rest):
        return False
    if not _in_case(agent, active[:size], agents.agent_cases):
        return False
    cut = len(patient)
    return (behind[cut:] == rest and _in_case(patient, behind[:cut], agents.patient_cases)) or (
        behind[: len(rest)] == rest and _in_case(patient, behind[len(rest) :], agents.patient_cases)
    )


def _in_case(one: Form, other: Form, cases: Rules) -> bool:
    """Return True when two runs of words are one but for what the case changes."""
    if len(one) != len(other):
        return False
    turned = False
    for mine, theirs in zip(one, other, strict=True):
        if mine == theirs:
            continue
        if (mine, theirs) in cases:
            turned = True
        elif not (turned and theirs in (f"{mine}n", mine.removesuffix("n"))):
            return False
    return True
