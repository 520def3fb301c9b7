"""Hypothesis strategies for graphs, keys and vectors."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from memsleep.core import GraphEdge

# Few keys, so that they repeat; the last three sort otherwise by code point.
KEYS = st.sampled_from(["a", "b", "a/b", "B", "c1", "c10", "\ufb01", "\U0001f600", "\ue000"])

STRENGTHS = st.one_of(
    st.sampled_from([0.0, 0.1, 0.2, 0.3, 0.5, 1.0]), st.floats(0, 1, allow_subnormal=False)
)


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[str], list[GraphEdge]]:
    """Draw nodes and edges, with repeats, self-loops and absent ends."""
    nodes = draw(st.lists(st.one_of(KEYS, st.text("xyz", max_size=2)), max_size=14))
    ends = st.sampled_from([*nodes, "absent"])
    edge = st.builds(GraphEdge, ends, ends, STRENGTHS)
    return nodes, draw(st.lists(edge, max_size=40))


# Small whole numbers give many exact ties; the others give last bits.
COMPONENTS = st.one_of(
    st.integers(-2, 2).map(float),
    st.floats(-1, 1, width=32),
    st.sampled_from([0.0, -0.0, 1e-45, 1e-30, 3e38, -3e38]),
)
ODD_COMPONENTS = st.one_of(COMPONENTS, st.sampled_from([np.nan, np.inf, -np.inf]))


@st.composite
def keyed_rows(
    draw: st.DrawFn, *, mixed_lengths: bool = False, odd: bool = False
) -> tuple[list[str], list[np.ndarray]]:
    """Draw keys and float32 rows, with copies of keys and of rows."""
    width = draw(st.integers(0, 6))
    count = draw(st.integers(0, 12))
    rows: list[np.ndarray] = []
    for _ in range(count):
        length = draw(st.integers(0, 6)) if mixed_lengths else width
        component = ODD_COMPONENTS if odd else COMPONENTS
        if rows and draw(st.integers(0, 3)) == 0:
            rows.append(draw(st.sampled_from(rows)))
        else:
            values = draw(st.lists(component, min_size=length, max_size=length))
            rows.append(np.array(values, np.float32))
    return draw(st.lists(KEYS, min_size=count, max_size=count)), rows
