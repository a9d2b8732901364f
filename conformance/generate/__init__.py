"""The generators of the vectors: one module a family, nothing of the implementation in them."""
