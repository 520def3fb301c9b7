"""Short forms of rows whose product is never below the similarity: less work where floors are high.

A row's sketch holds its components along a few directions, and the length of what
they leave over. By Cauchy-Schwarz the product of two sketches is at least the
similarity of the rows. Rows whose sketches reach no bar have no pair in a slab, and
only the others are multiplied in full.

Whether that pays depends on the rows: a sample of them tells, in counts and not in
seconds, so that the same input makes the same choice on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from memsleep.core.blocks import Block, chunks
from memsleep.core.rounding import row_length
from memsleep.core.slabs import RESCORING, Scale
from memsleep.core.sums import Doubles
from memsleep.core.work import Work

Float32Array = NDArray[np.float32]

# Components of a sketch, the length of the rest included; multiples of a vector register.
SKETCH_WIDTHS: Final = (16, 32, 48, 64, 96, 128)
# Below this much work, in rows * rows * components, the choice costs more than it may save.
LEAST_WORK: Final = 1e11
LARGEST_WIDTH: Final = 8192  # of the rows: the slack below was derived for it
BASIS_ROWS: Final = 256
SAMPLE_ROWS: Final = 256
SAMPLE_COLUMNS: Final = 2048
# Costs of a pair, in components of its product (`benchmarks/pairing.py --costs`): writing the
# product, finding the rows that reach a bar, and picking their pairs.
WRITING: Final = 30
SCANNING: Final = 15
PICKING: Final = 60
WORTH_IT: Final = 0.8
# Covers all of what is done in double; derived in `sketched`.
SLACK: Final = 2.0**-33
LARGEST_DEFECT: Final = 2.0**-40
# Directions that hold less than this of what the first one holds are rounding errors.
LEAST_SHARE: Final = 2.0**-32


def attach_sketches(blocks: Sequence[Block], floor: float, work: Work) -> None:
    """Give all blocks of one length their sketches, where that pays.

    Parameters
    ----------
    blocks : sequence of Block
    floor : float
        No smaller similarity is of interest.
    work : Work
        Gets the width of the sketches.
    """
    for width in sorted({block.width for block in blocks}):
        group = [block for block in blocks if block.width == width]
        count = sum(len(block.row) for block in group)
        if floor <= 0 or count * count * width < LEAST_WORK or width > LARGEST_WIDTH:
            continue
        leading = _leading(_sample(group, BASIS_ROWS))
        chosen = _cheapest(_sample(group, SAMPLE_ROWS + SAMPLE_COLUMNS), leading, floor)
        if chosen:
            work.width, work.sketch_width = width, chosen
            basis = _orthonormal(leading[: chosen - 1])
            for block in group:
                block.sketch = sketch_of(block, basis)


def pays(work: Work) -> bool:
    """Return whether sketches have saved more so far than they cost."""
    if work.sketched == 0:
        return True
    full, short = _product_cost(work.width), _product_cost(work.sketch_width)
    rest = work.multiplied * full + work.direct * RESCORING * work.width
    return work.sketched * short + rest <= work.sketched * full


def _product_cost(width: int) -> int:
    """Return what the product of a pair costs, its writing and the look at it included."""
    return width + WRITING + SCANNING


def drop_sketches(blocks: Sequence[Block]) -> None:
    """Go on without sketches."""
    for block in blocks:
        block.sketch = None


def sketch_scale(width: int) -> Scale:
    """Return what the product of two sketches says; it may be too large by any amount."""
    scale = Scale.of(width, np.float32)
    return scale._replace(error=scale.error + SLACK)


def sketch_of(block: Block, basis: Doubles) -> Float32Array:
    """Return the sketches of a block's rows.

    Parameters
    ----------
    block : Block
    basis : ndarray of shape (m, d), float64
        Rows that are orthonormal but for rounding.

    Returns
    -------
    ndarray of shape (n, m + 1), float32
        0 for a row without a direction, and everywhere but in the last column, which then is 1,
        if the basis is not orthonormal to within 2^-40.

    Notes
    -----
    Let Q be the basis, ``Q Q' = I + E`` with ``|E| <= e``, and P the projector on
    its rows, ``P = Q' (Q Q')^-1 Q``. For unit vectors a, b and ``z(a) = Q a``::

        a.b = (P a).(P b) + (a - P a).(b - P b)
           <= z(a).z(b) + f + r(a) r(b),     r(a)^2 = 1 - |P a|^2 <= 1 - |z(a)|^2 + f

    with ``f = e / (1 - e) * (1 + e)``, here below 2^-39.9. In double, z errs by at most
    ``sqrt(m) (d + 10) 2^-53``, below 2^-36 for d up to 8192 and m up to 128, and the two
    products by twice that. `SLACK`, 2^-33, covers either sum of these. So with
    ``r^2 = 1 - |z|^2 + SLACK`` the vectors (z, r) have a product of at least ``a.b - SLACK``
    and a length of at most ``1 + SLACK``. They are scaled and multiplied as rows are, and
    the same bound holds for the rounding: :func:`~memsleep.core.rounding.product_error`.
    """
    sketch = np.zeros((len(block.row), len(basis) + 1), np.float32)
    length = row_length(len(basis) + 1, np.float32)
    squares = block.squares(block.width)
    regular = (squares > 0) & np.isfinite(squares)
    if not _defect(basis) <= LARGEST_DEFECT:
        basis = np.zeros_like(basis)
    for chunk in chunks(len(block.row)):
        parts = _parts(block.units(block.width, np.float64, chunk), basis)
        sketch[chunk] = length * parts
    sketch[~regular] = 0
    return sketch


def _parts(units: NDArray[np.floating], basis: Doubles) -> Doubles:
    """Return the components along the basis and the length of the rest, in double."""
    with np.errstate(all="ignore"):
        return _with_rest(units @ basis.T)


def _with_rest(along: Doubles) -> Doubles:
    """Return components with the length of what they leave over of a row of length 1."""
    rest = np.sqrt(np.maximum(1 + SLACK - (along * along).sum(axis=1), 0))
    return np.column_stack([along, rest])


def _defect(basis: Doubles) -> float:
    """Return how far the basis is from orthonormal."""
    with np.errstate(all="ignore"):
        return float(np.linalg.norm(basis @ basis.T - np.eye(len(basis))))


def _sample(blocks: Sequence[Block], wanted: int) -> Doubles:
    """Return rows at equal distances, scaled, in double."""
    count = sum(len(block.row) for block in blocks)
    places = np.unique(np.linspace(0, count - 1, min(wanted, count)).astype(np.int64))
    parts, start = [], 0
    for block in blocks:
        here = places[(places >= start) & (places < start + len(block.row))] - start
        parts.append(block.units(block.width, np.float32, here).astype(np.float64))
        start += len(block.row)
    return np.concatenate(parts)


def _leading(sample: Doubles) -> Doubles:
    """Return directions of length 1, those that hold most of the sample first, nearly orthogonal.

    Any would be right; these are good ones. Another order of addition gives others.
    """
    with np.errstate(all="ignore"):
        try:
            values, vectors = np.linalg.eigh(sample @ sample.T)
        except np.linalg.LinAlgError:  # it did not converge
            return np.zeros((0, sample.shape[1]))
        clear = np.flatnonzero(values > LEAST_SHARE * values.max(initial=0))[::-1]
        clear = clear[: min(max(SKETCH_WIDTHS) - 1, sample.shape[1])]
        directions: Doubles = vectors[:, clear].T @ sample / np.sqrt(values[clear, np.newaxis])
    return directions


def _orthonormal(directions: Doubles) -> Doubles:
    """Return orthonormal rows that span the same, as exactly as double can."""
    with np.errstate(all="ignore"):
        orthonormal: Doubles = np.linalg.qr(directions.T)[0].T
    return orthonormal


def _cheapest(sample: Doubles, basis: Doubles, floor: float) -> int:
    """Return the width of sketches that a sample speaks for; 0 for none."""
    best, chosen = WORTH_IT * _product_cost(sample.shape[1]), 0
    with np.errstate(all="ignore"):
        along = sample @ basis.T
    # From the widest: the narrower, the more is left to do.
    for width in reversed(SKETCH_WIDTHS):
        if width > len(basis) + 1 or width >= sample.shape[1]:
            continue
        rest = _left_over(_with_rest(along[:, : width - 1]), floor, sample.shape[1])
        cost = _product_cost(width) + rest
        if cost < best:
            best, chosen = cost, width
        if _product_cost(SKETCH_WIDTHS[0]) + rest >= best:
            break
    return chosen


def _left_over(parts: Doubles, floor: float, width: int) -> float:
    """Return what a pair of rows costs after its short product, on average of a sample."""
    every = max(2, len(parts) // SAMPLE_ROWS)
    is_row = np.arange(len(parts)) % every == 0
    with np.errstate(all="ignore"):
        near = parts[is_row] @ parts[~is_row].T >= floor
    rows, pairs = (near.any(axis=1).mean(), near.mean()) if near.size else (1.0, 1.0)
    return float(min(rows * _product_cost(width), rows * PICKING + pairs * RESCORING * width))
