"""How each golden file is fed to the core: one small function per file."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

import memsleep.core as core

Case = Mapping[str, Any]

SPECIAL = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def number(value: Any) -> Any:
    """Return a JSON number as a double, null as None."""
    if value is None:
        return None
    return float(SPECIAL.get(value, value))


def grid(value: Any) -> Any:
    """Return a grid value as an int where it is a whole one below 2**53."""
    double = number(value)
    whole = math.isfinite(double) and double == int(double) and abs(double) < 2**53
    return int(double) if whole else double


def numbers(values: Any) -> list[float]:
    return [number(value) for value in values]


def given(**options: Any) -> dict[str, Any]:
    """Return the options that were not omitted."""
    return {name: value for name, value in options.items() if value is not None}


def moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def edges(case: Case) -> list[core.GraphEdge]:
    return [core.GraphEdge(e["src"], e["dst"], number(e["strength"])) for e in case["edges"]]


def neighbor_rows(case: Case, *, of_pairs: bool) -> list[dict[str, Any]]:
    keys = [row["key"] for row in case["vectors"]]
    vectors = [numbers(row["vec"]) for row in case["vectors"]]
    options = core.NeighborOptions(
        number(case["floor"]), number(case["per_source_k"]), number(case["limit"])
    )
    if of_pairs:
        pairs = [(pair["src"], pair["dst"]) for pair in case["pairs"]]
        found = core.rank_candidate_pairs(pairs, keys, vectors, options)
    else:
        found = core.top_neighbor_pairs(keys, vectors, options)
    return [{"src": pair.src, "dst": pair.dst, "sim": pair.sim} for pair in found]


def float32_view(case: Case) -> list[float] | None:
    view = core.float32_view(bytes.fromhex(case["bytes_hex"]))
    return None if view is None else [float(value) for value in view]


def apply_mmr(case: Case) -> list[str]:
    candidates = [
        core.MmrCandidate(
            row["path"],
            number(row["score"]),
            None if row["vector"] is None else numbers(row["vector"]),
        )
        for row in case["candidates"]
    ]
    options = given(lam=number(case["lambda"]))
    return [hit.path for hit in core.apply_mmr(candidates, number(case["limit"]), **options)]


def pagerank(case: Case) -> list[list[Any]]:
    seeds = case["seeds"]
    options = given(
        damping=number(case["damping"]),
        tolerance=number(case["tolerance"]),
        max_iterations=case["max_iterations"],
        seeds=None if seeds is None else {node: number(weight) for node, weight in seeds},
    )
    return [list(item) for item in core.pagerank(case["nodes"], edges(case), **options).items()]


def label_propagation(case: Case) -> list[list[Any]]:
    options = given(min_community_size=case["min_community_size"], max_sweeps=case["max_sweeps"])
    found = core.label_propagation(case["nodes"], edges(case), **options)
    return [list(item) for item in found.items()]


def bridge_counts(case: Case) -> list[list[Any]]:
    communities = dict(case["communities"])
    found = core.bridge_counts(case["nodes"], edges(case), communities)
    return [list(item) for item in found.items()]


def merge_text(text: Case | None) -> core.MergeText | None:
    return None if text is None else core.MergeText(text["gist"], text["body"])


def merge_pairs(case: Case) -> tuple[list[core.MergePair], dict[str, Any]]:
    pairs = [
        core.MergePair(
            pair["keep_path"],
            pair["drop_path"],
            number(pair["similarity"]),
            merge_text(pair["keep_text"]),
            merge_text(pair["drop_text"]),
        )
        for pair in case["pairs"]
    ]
    return pairs, given(threshold=number(case["threshold"]), max_pairs=number(case["max_pairs"]))


def merge_outcomes(case: Case) -> list[str]:
    pairs, options = merge_pairs(case)
    outcomes = core.merge_outcomes(pairs, **options)
    assert [outcome.pair for outcome in outcomes] == pairs or any(
        math.isnan(pair.similarity) for pair in pairs
    )
    return [outcome.stage for outcome in outcomes]


def merge_candidates(case: Case) -> list[dict[str, Any]]:
    pairs, options = merge_pairs(case)
    return [
        {
            "keep_path": decision.keep_path,
            "drop_path": decision.drop_path,
            "similarity": decision.similarity,
        }
        for decision in core.merge_candidates(pairs, **options)
    ]


def merge_predicates(case: Case) -> dict[str, bool]:
    texts = case["text_a"], case["text_b"]
    return {
        "negation_divergent": core.negation_divergent(*texts),
        "numeric_token_divergent": core.numeric_token_divergent(*texts),
        "variant_qualifier_divergent": core.variant_qualifier_divergent(*texts),
    }


def merge_veto_reasons(case: Case) -> dict[str, Any]:
    a = core.MergeText(case["text_a"]["gist"], case["text_a"]["body"])
    b = core.MergeText(case["text_b"]["gist"], case["text_b"]["body"])
    return {
        "joined_a": core.join_merge_text(a),
        "joined_b": core.join_merge_text(b),
        "reasons": list(core.merge_veto_reasons(a, b)),
        "vetoed": core.merge_vetoed(a, b),
    }


def retention_input(case: Case) -> core.RetentionInput:
    facts = {name: number(value) for name, value in case.items() if name != "memory_type"}
    return core.RetentionInput(memory_type=case["memory_type"], **facts)


def score_retention(case: Case) -> dict[str, Any]:
    result = core.score_retention(retention_input(case))
    return {"score": result.score, "action": result.action, "signals": result.signals}


def doubles(mapping: Case) -> dict[str, float]:
    return {name: number(value) for name, value in mapping.items()}


def reprieve_score(case: Case) -> float:
    names = ("importance", "access_count", "outcome_score", "hours_since_access", "decay_rate")
    return core.reprieve_score(
        core.ReprieveInput(**given(**{name: number(case[name]) for name in names}))
    )


def should_reprieve(case: Case) -> bool:
    options = given(floor=number(case["floor"]), max_reprieves=number(case["max_reprieves"]))
    return core.should_reprieve(number(case["score"]), number(case["reprieve_count"]), **options)


def decay_options(case: Case) -> dict[str, float]:
    return given(alpha=number(case["alpha"]), floor=number(case["floor"]))


def fuse_arms(case: Case) -> list[list[Any]]:
    arms = [[core.ArmHit(hit["path"], number(hit["rank"])) for hit in arm] for arm in case["arms"]]
    fused = core.fuse_arms(arms, numbers(case["weights"]), **given(k=number(case["k"])))
    return [list(item) for item in fused.items()]


def fuse_lateral(case: Case) -> list[list[Any]]:
    before = {path: number(score) for path, score in case["fused"]}
    after = core.fuse_lateral(
        before, case["order"], number(case["weight"]), **given(k=number(case["k"]))
    )
    return [list(item) for item in after.items()]


def rank_fused(case: Case) -> list[dict[str, Any]]:
    fused = {path: number(score) for path, score in case["fused"]}
    return [{"path": path, "score": score} for path, score in core.rank_fused(fused)]


def should_bump_access(case: Case) -> bool:
    last, now = moment(case["last_accessed_at"]), moment(case["now"])
    assert now is not None
    return core.should_bump_access(last, now, **given(cooldown=number(case["cooldown_seconds"])))


def partition_by_cooldown(case: Case) -> dict[str, list[str]]:
    entries = [(entry["path"], moment(entry["last_accessed_at"])) for entry in case["entries"]]
    now = moment(case["now"])
    assert now is not None
    bumped, cooled_down = core.partition_by_cooldown(
        entries, now, **given(cooldown=number(case["cooldown_seconds"]))
    )
    return {"bumped": bumped, "cooled_down": cooled_down}


def constant(case: Case) -> Any:
    value = getattr(core, case["name"])
    if isinstance(value, Mapping):
        return {
            name: dict(entry) if isinstance(entry, Mapping) else entry
            for name, entry in value.items()
        }
    return list(value) if isinstance(value, tuple) else value


def polarity_conflict(case: Case) -> dict[str, Any]:
    found = core.polarity_conflict(case["a"], case["b"])
    return {"conflict": found.conflict, "score": found.score}


def decide_merge(case: Case) -> dict[str, Any]:
    sides = (
        core.MergeSide(case[side]["summary"], number(case[side]["confidence"]))
        for side in ("target", "candidate")
    )
    verdict = core.decide_merge(*sides)
    return {"branch": verdict.branch, "score": verdict.score, **given(winner=verdict.winner)}


def utility_score(case: Case) -> float:
    names = ("confidence", "evidence_count", "usage_count", "corrected_count")
    return core.utility_score(*(number(case[name]) for name in names))


def source_refs(refs: Any) -> list[core.SourceRef]:
    return [core.SourceRef(ref["session_id"], ref["seq"]) for ref in refs]


def union_source_refs(case: Case) -> list[dict[str, Any]]:
    union = core.union_source_refs(
        source_refs(case["existing"]), source_refs(case["incoming"]), keep="oldest"
    )
    return [{"session_id": ref.session_id, "seq": ref.seq} for ref in union]


def keyword_search(case: Case) -> list[dict[str, Any]]:
    notes = [core.SearchNote(**note) for note in case["notes"]]
    return [
        {name: getattr(hit, name) for name in hit.__dataclass_fields__}
        for hit in core.keyword_search(notes, case["text"], number(case["limit"]))
    ]


ADAPTERS: dict[str, Callable[[Case], Any]] = {
    "apply_mmr": apply_mmr,
    "apply_negative_hits_fp": lambda c: core.apply_negative_hits_fp(
        grid(c["alpha_fp"]), grid(c["prev_fp"]), number(c["hits"])
    ),
    "apply_outcomes_fp": lambda c: core.apply_outcomes_fp(
        grid(c["alpha_fp"]), grid(c["prev_fp"]), [grid(s) for s in c["signals_fp"]]
    ),
    "band_for": lambda c: core.band_for(number(c["score"])),
    "bridge_counts": bridge_counts,
    "compensated_sum": lambda c: core.compensated_sum(numbers(c["values"])),
    "composite_score": lambda c: core.composite_score(doubles(c["signals"]), doubles(c["profile"])),
    "compute_signals": lambda c: core.compute_signals(retention_input(c)),
    "connected_components": lambda c: core.connected_components([(a, b) for a, b in c["edges"]]),
    "constants": constant,
    "cosine": lambda c: core.cosine(numbers(c["a"]), numbers(c["b"])),
    "cosine_distance": lambda c: core.cosine_distance(numbers(c["a"]), numbers(c["b"])),
    "decay_confidence": lambda c: core.decay_confidence(
        number(c["confidence"]), **decay_options(c)
    ),
    "decay_confidence_fp": lambda c: core.decay_confidence_fp(
        grid(c["alpha_fp"]), grid(c["conf_fp"]), grid(c["floor_fp"])
    ),
    "decay_confidence_n": lambda c: core.decay_confidence_n(
        number(c["confidence"]), number(c["cycles"]), **decay_options(c)
    ),
    "decay_confidence_n_fp": lambda c: core.decay_confidence_n_fp(
        grid(c["alpha_fp"]), grid(c["conf_fp"]), grid(c["floor_fp"]), number(c["cycles"])
    ),
    "decide_merge": decide_merge,
    "ewma_step_fp": lambda c: core.ewma_step_fp(
        grid(c["alpha_fp"]), grid(c["prev_fp"]), grid(c["signal_fp"])
    ),
    "exclude_self_supersede": lambda c: core.exclude_self_supersede(
        c["canonical_path"], c["member_paths"]
    ),
    "float32_view": float32_view,
    "frame_key": lambda c: core.frame_key(c["claim"]),
    "from_fp": lambda c: core.from_fp(number(c["value_fp"])),
    "fuse_arms": fuse_arms,
    "fuse_lateral": fuse_lateral,
    "half_life_for": lambda c: core.half_life_for(c["memory_type"]),
    "is_committable_confidence_change": lambda c: core.is_committable_confidence_change(
        number(c["before"]), number(c["after"])
    ),
    "jaccard": lambda c: core.jaccard(c["a"], c["b"]),
    "keyword_search": keyword_search,
    "label_propagation": label_propagation,
    "merge_candidates": merge_candidates,
    "merge_outcomes": merge_outcomes,
    "merge_predicates": merge_predicates,
    "merge_veto_reasons": merge_veto_reasons,
    "pagerank": pagerank,
    "partition_by_cooldown": partition_by_cooldown,
    "polarity_conflict": polarity_conflict,
    "profile_weight_sum": lambda c: core.profile_weight_sum(doubles(c["profile"])),
    "rank_candidate_pairs": lambda c: neighbor_rows(c, of_pairs=True),
    "rank_fused": rank_fused,
    "reprieve_score": reprieve_score,
    "rrf_contribution": lambda c: core.rrf_contribution(number(c["rank"]), number(c["weight"])),
    "rrf_score": lambda c: core.rrf_score(
        number(c["rank"]), number(c["weight"]), **given(k=number(c["k"]))
    ),
    "score_retention": score_retention,
    "should_bump_access": should_bump_access,
    "should_reprieve": should_reprieve,
    "signal_value": lambda c: core.signal_value(c["signal"]),
    "to_fp": lambda c: core.to_fp(number(c["value"])),
    "tokenize_for_merge": lambda c: {
        "tokens": core.tokenize_for_merge(c["text"]),
        "normal": core.normalize_for_merge(c["text"]),
    },
    "tokenize_query": lambda c: core.tokenize_query(c["text"]),
    "top_neighbor_pairs": lambda c: neighbor_rows(c, of_pairs=False),
    "union_source_refs": union_source_refs,
    "utility_score": utility_score,
    "weights_for": lambda c: core.weights_for(c["memory_type"]),
}
