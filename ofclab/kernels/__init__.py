"""Compiled kernels: arrays in, arrays out; they know no rule by name."""
