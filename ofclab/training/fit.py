"""Fit a small net to values of boards: plain numpy, Adam, a cosine schedule."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

LEAK = 0.05
_LEAST_SD = 0.05
_BATCH = 1024
_RATE = 2e-3
_DECAY = 1e-4
_CLIP = 3.0
"""Residuals beyond so many standard deviations of the labels pull no harder."""


@dataclass(frozen=True, eq=False)
class Net:
    """One net in raw units: w1 f4 (inputs, A), b1 (A,), w2 (A, B), b2 (B,), w3 (B,), b3 ()."""

    w1: Floats
    b1: Floats
    w2: Floats
    b2: Floats
    w3: Floats
    b3: Floats

    def __call__(self, x: NDArray[np.floating]) -> Floats:
        """Values of inputs (n, inputs)."""
        first = _leaky(x.astype(np.float32) @ self.w1 + self.b1)
        second = _leaky(first @ self.w2 + self.b2)
        return np.asarray(second @ self.w3 + self.b3, np.float32)


def _leaky(x: Floats) -> Floats:
    return np.asarray(np.maximum(x, np.float32(LEAK) * x), np.float32)


def fit(
    x: Floats,
    labels: Floats,
    widths: tuple[int, int],
    epochs: int,
    seed: int,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Net, float]:
    """Fit a net to labels (n,) of inputs (n, inputs); returns it and the residual's standard deviation at the end.

    Everything that is drawn comes from ``seed``. ``progress``: told epochs done and in all.
    """
    random = np.random.default_rng(seed)
    n, inputs = x.shape
    mean, sd = _moments(x)
    middle, spread = np.float32(labels.mean()), np.float32(max(float(labels.std()), 1e-3))
    target = (labels - middle) / spread
    sizes = [(inputs, widths[0]), (widths[0], widths[1]), (widths[1], 1)]
    params: list[Floats] = []
    for fan_in, fan_out in sizes:
        params.append((random.normal(size=(fan_in, fan_out)) * np.sqrt(2 / fan_in)).astype(np.float32))
        params.append(np.zeros(fan_out, np.float32))
    adam = _Adam(params)
    batch = min(_BATCH, n)
    steps, step = epochs * (n // batch), 0
    error = 0.0
    for epoch in range(epochs):
        order, squares, seen = random.permutation(n), 0.0, 0
        for first in range(0, n - batch + 1, batch):
            rows = order[first : first + batch]
            residual = _step(params, (x[rows] - mean) / sd, target[rows], adam, step / steps)
            squares, seen, step = squares + float(residual @ residual), seen + batch, step + 1
        error = float(np.sqrt(squares / max(seen, 1)) * spread)
        if progress is not None:
            progress(epoch + 1, epochs)
    w1, b1, w2, b2, w3, b3 = params
    in_points = np.asarray(w3[:, 0] * spread, np.float32), np.asarray(b3[0] * spread + middle, np.float32)
    return Net(w1 / sd[:, None], np.asarray(b1 - (mean / sd) @ w1, np.float32), w2, b2, *in_points), error


def screen(x: Floats, net: Net, most: int = 1 << 16) -> Floats:
    """Weights (inputs,) of a linear sum of inputs that comes nearest to a net, by ridge regression."""
    part = x[:most]
    mean, sd = _moments(part)
    scaled, values = (part - mean) / sd, net(part)
    moments = (scaled.T @ scaled).astype(np.float64) / len(part)
    with_values = scaled.T.astype(np.float64) @ (values - values.mean()) / len(part)
    solved = np.linalg.solve(moments + 1e-3 * np.eye(len(mean)), with_values)
    return np.asarray(solved / sd, np.float32)


def _moments(x: Floats) -> tuple[Floats, Floats]:
    """Mean and standard deviation of every input, in double precision and piece by piece."""
    total, squares = np.zeros(x.shape[1]), np.zeros(x.shape[1])
    for first in range(0, len(x), 1 << 16):
        part = x[first : first + (1 << 16)].astype(np.float64)
        total, squares = total + part.sum(axis=0), squares + (part**2).sum(axis=0)
    mean = total / len(x)
    sd = np.sqrt(np.maximum(squares / len(x) - mean**2, 0.0))
    return mean.astype(np.float32), np.maximum(sd, _LEAST_SD).astype(np.float32)


class _Adam:
    """Adam with decoupled weight decay on weights, none on biases."""

    def __init__(self, params: list[Floats]) -> None:
        self.first = [np.zeros_like(p) for p in params]
        self.second = [np.zeros_like(p) for p in params]
        self.steps = 0

    def move(self, params: list[Floats], gradients: list[Floats], rate: float) -> None:
        self.steps += 1
        scale = rate * np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        for i, (p, g) in enumerate(zip(params, gradients, strict=True)):
            self.first[i] += np.float32(0.1) * (g - self.first[i])
            self.second[i] += np.float32(0.001) * (g * g - self.second[i])
            p -= np.float32(scale) * self.first[i] / (np.sqrt(self.second[i]) + np.float32(1e-8))
            if p.ndim == 2:
                p -= np.float32(rate * _DECAY) * p


def _step(params: list[Floats], x: Floats, target: Floats, adam: _Adam, share_done: float) -> Floats:
    """One step; returns the residuals."""
    w1, b1, w2, b2, w3, b3 = params
    first = x @ w1 + b1
    active = _leaky(first)
    second = active @ w2 + b2
    out = _leaky(second)
    residual: Floats = (out @ w3)[:, 0] + b3[0] - target
    pull = (np.clip(residual, -_CLIP, _CLIP) / len(x))[:, None].astype(np.float32)
    back_2 = (pull @ w3.T) * np.where(second > 0, np.float32(1), np.float32(LEAK))
    back_1 = (back_2 @ w2.T) * np.where(first > 0, np.float32(1), np.float32(LEAK))
    gradients = [
        x.T @ back_1, back_1.sum(axis=0), active.T @ back_2, back_2.sum(axis=0), out.T @ pull, pull.sum(axis=0)
    ]  # fmt: skip
    adam.move(params, gradients, _RATE * 0.5 * (1 + np.cos(np.pi * share_done)))
    return residual
