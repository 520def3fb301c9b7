"""Other ways in which a library may add up a product, each rounded as such a library rounds."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Multiply = Callable[[np.ndarray, np.ndarray, np.ndarray], None]


def terms(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return the rounded products of all components, shape (n, m, d)."""
    return left[:, np.newaxis, :] * right[np.newaxis, :, :]


def one_by_one(left: np.ndarray, right: np.ndarray, out: np.ndarray) -> None:
    out[:] = 0
    for column in range(left.shape[1]):
        out += left[:, column, np.newaxis] * right[:, column]


def backwards(left: np.ndarray, right: np.ndarray, out: np.ndarray) -> None:
    one_by_one(left[:, ::-1], right[:, ::-1], out)


def fused(left: np.ndarray, right: np.ndarray, out: np.ndarray) -> None:
    """Add in index order, product and sum rounded once."""
    out[:] = 0
    wide = np.longdouble if left.dtype == np.float64 else np.float64
    for column in range(left.shape[1]):
        exact = left[:, column, np.newaxis].astype(wide) * right[:, column].astype(wide)
        out[:] = (out + exact).astype(left.dtype)


def in_lanes(left: np.ndarray, right: np.ndarray, out: np.ndarray) -> None:
    """Add in 16 lanes, as a vector unit does, then the lanes."""
    lanes = [np.zeros_like(out) for _ in range(16)]
    for column in range(left.shape[1]):
        lanes[column % 16] += left[:, column, np.newaxis] * right[:, column]
    out[:] = 0
    for lane in lanes:
        out += lane


def in_halves(left: np.ndarray, right: np.ndarray, out: np.ndarray) -> None:
    """Add in a balanced tree."""
    parts = terms(left, right)
    while parts.shape[2] > 1:
        if parts.shape[2] % 2:
            parts = np.concatenate([parts, np.zeros_like(parts[:, :, :1])], axis=2)
        parts = parts[:, :, ::2] + parts[:, :, 1::2]
    out[:] = parts[:, :, 0] if parts.shape[2] else 0


def largest_first(left: np.ndarray, right: np.ndarray, out: np.ndarray) -> None:
    """Add each pair's terms by falling magnitude, so that the small ones are lost."""
    parts = terms(left, right)
    parts = np.take_along_axis(parts, np.argsort(-np.abs(parts), axis=2), axis=2)
    out[:] = np.add.accumulate(parts, axis=2)[:, :, -1] if parts.shape[2] else 0


def flushing(left: np.ndarray, right: np.ndarray, out: np.ndarray) -> None:
    """Read and write numbers below the normal range as 0."""
    tiny = np.finfo(left.dtype).tiny
    parts = terms(*(np.where(np.abs(side) < tiny, 0, side) for side in (left, right)))
    out[:] = 0
    for column in range(left.shape[1]):
        term = parts[:, :, column]
        out += np.where(np.abs(term) < tiny, 0, term)


WAYS: list[Multiply] = [
    one_by_one,
    backwards,
    fused,
    in_lanes,
    in_halves,
    largest_first,
    flushing,
]
